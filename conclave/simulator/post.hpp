// Messages under way: counted, lost or doubled by the network, and handed out in order of arrival.
#pragma once

#include <array>
#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/core/effects.hpp"
#include "conclave/simulator/agenda.hpp"
#include "conclave/simulator/network.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::simulator {

// What a message costs on the wire: its own idea of it where it has one, else as it is encoded.
template <class M>
std::uint64_t bits_of(const M& message) {
    if constexpr (requires { message.bits(); })
        return message.bits();
    else
        return 8 * (1 + encoded_size(message));  // the tag tells which message it is
}

template <class Message>
class Post {
public:
    struct Flight {
        std::uint32_t to;  // position
        Id from;
        Message message;
    };

    Post(const Scenario& scenario, const Group& group, Network& network, trace::Trace* trace)
        : group_(group),
          network_(network),
          trace_(trace),
          mutation_(scenario.mutation),
          in_order_(network.in_order() && trace == nullptr),
          sent_(group.size()) {}

    Time next_time() const {
        if (in_order_) return lane_.empty() ? never : lane_.front().time;
        return heap_.next_time();
    }
    Flight pop() {
        if (!in_order_) {
            Due<Flight> due = heap_.pop();
            number_ = due.number;
            return std::move(due.what);
        }
        Flight flight = lane_.front().flight;
        lane_.pop();
        return flight;
    }

    // Sends all of them; `next` is the sender's successor, found without a look-up.
    void dispatch(std::uint32_t at, Id next, const std::vector<Send<Message>>& sends, Time now) {
        for (const Send<Message>& send : sends) {
            std::uint32_t times = 1;
            if (mutation_.which == send.message.index()) times = mutated_times();
            for (; times != 0; --times) post(at, next, send, now);
        }
    }

    // False: nobody is there to receive it.
    bool receive(const Flight& flight, Id receiver, bool up, Time now) {
        if (trace_ != nullptr)
            trace_->add(now, up ? trace::Kind::arrive : trace::Kind::lose, receiver, flight.from,
                        number_, up ? text(flight.message) : "down");
        delivered_ += up;
        return up;
    }

    void report(Outcome& outcome) const {
        for (std::size_t i = 0; i < types; ++i) {
            outcome.by_type.emplace_back(names()[i], by_type_[i]);
            outcome.messages += by_type_[i];
        }
        outcome.broadcasts = broadcasts_;
        outcome.copies = copies_;
        outcome.delivered = delivered_;
        outcome.bits = bits_;
    }

private:
    static constexpr std::size_t types = std::variant_size_v<Message>;
    struct InOrder {
        Time time;
        Flight flight;
    };

    static auto names() {
        return []<class... Ts>(const std::variant<Ts...>*) {
            return std::array<std::string_view, sizeof...(Ts)>{type_name<Ts>()...};
        }(static_cast<const Message*>(nullptr));
    }

    std::uint32_t mutated_times() const {
        if (mutation_.what == Mutation::What::drop_send) return 0;
        return mutation_.what == Mutation::What::double_send ? 2 : 1;
    }

    void post(std::uint32_t at, Id next, const Send<Message>& send, Time now) {
        ++by_type_[send.message.index()];
        bits_ += std::visit([](const auto& message) { return bits_of(message); }, send.message);
        const std::uint32_t count = ++sent_[at];
        if (send.to == next) {
            carry(at, at + 1 == group_.size() ? 0 : at + 1, send, count, now);
        } else if (send.to != everyone) {
            carry(at, group_.position(send.to), send, count, now);
        } else {
            ++broadcasts_;
            if (trace_ != nullptr)
                trace_->add(now, trace::Kind::send, group_.ring[at], everyone, 0,
                            text(send.message));
            for (std::uint32_t to = 0; to < group_.size(); ++to)
                if (to != at) carry(at, to, send, count, now);
        }
    }

    void carry(std::uint32_t from, std::uint32_t to, const Send<Message>& send, std::uint32_t count,
               Time now) {
        ++copies_;
        const Id sender = group_.ring[from];
        if (in_order_ && network_.steady())
            return lane_.push({now + network_.steady_delay(), {to, sender, send.message}});
        const Id receiver = group_.ring[to];
        const Passage passage = network_.carry(sender, receiver, count, send.to == everyone, now);
        if (trace_ != nullptr) show(sender, receiver, send, passage, now);
        if (!passage.lost.empty()) return;
        push(passage.arrives, {to, sender, send.message});
        if (passage.again == never) return;
        if (trace_ != nullptr)
            trace_->add(now, trace::Kind::send, sender, receiver, pushed_ + 1, text(send.message));
        push(passage.again, {to, sender, send.message});
    }

    void push(Time time, const Flight& flight) {
        if (in_order_)
            lane_.push({time, flight});
        else
            heap_.push({time, ++pushed_, flight});
    }

    void show(Id sender, Id receiver, const Send<Message>& send, const Passage& passage, Time now) {
        const std::uint64_t flight = passage.lost.empty() ? pushed_ + 1 : 0;
        trace_->add(now, trace::Kind::send, sender, receiver, flight, text(send.message));
        if (!passage.lost.empty())
            trace_->add(now, trace::Kind::lose, receiver, sender, flight,
                        std::string(passage.lost));
    }

    const Group& group_;
    Network& network_;
    trace::Trace* trace_;
    Mutation mutation_;
    bool in_order_;
    RingBuffer<InOrder> lane_;
    Heap<Flight> heap_;
    std::uint64_t pushed_ = 0, number_ = 0;
    std::vector<std::uint32_t> sent_;  // per node, by position
    std::array<std::uint64_t, types> by_type_{};
    std::uint64_t broadcasts_ = 0, copies_ = 0, delivered_ = 0, bits_ = 0;
};

}  // namespace conclave::simulator
