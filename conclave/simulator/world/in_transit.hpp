// Messages under way: counted, lost or doubled by the network, and handed out in order of arrival.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/core/effects.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/type_names.hpp"
#include "conclave/simulator/world/chunks.hpp"
#include "conclave/simulator/world/diary.hpp"
#include "conclave/simulator/world/network.hpp"
#include "conclave/simulator/world/next_event.hpp"
#include "conclave/simulator/world/wheel.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::simulator {

// The size of a message on the wire: its own idea of it where it has one, else as it is encoded.
template <class M>
std::uint64_t bits_of(const M& message) {
    if constexpr (requires { message.bits(); })
        return message.bits();
    else
        return 8 * (1 + encoded_size(message));  // the tag tells which message it is
}

template <class M>
inline constexpr bool one_size = fixed_size<M> && !requires(const M& message) { message.bits(); };

// The common delay keeps arrivals in the order of sending, and a queue holds them; for all other
// delays the wheel does. A traced run numbers its flights and uses the heap: all three give the
// same order.
template <class Message>
class InTransit {
public:
    struct Flight {
        std::uint32_t to;  // position
        Id from;
        Message message;
    };

    InTransit(const Scenario& scenario, const Group& group, Network& network, Diary& diary)
        : group_(group),
          network_(network),
          diary_(diary),
          mutation_(scenario.mutation),
          engine_(diary.kept()         ? Engine::heap
                  : network.in_order() ? Engine::queue
                                       : Engine::wheel),
          quick_(engine_ == Engine::queue && mutation_.what == Mutation::What::nothing),
          steady_(engine_ == Engine::queue && network.steady()),
          sent_(steady_ ? 0 : group.size()) {}

    Time next_time() const {
        if (engine_ == Engine::queue) return queue_.empty() ? never : queue_.front().time;
        return engine_ == Engine::wheel ? wheel_.next_time() : heap_.next_time();
    }

    // The next receivers, so that what is known of it can be fetched from afar meanwhile.
    std::uint32_t upcoming() const {
        const InOrder* const queued = queue_.ahead(8);
        const Flight* const later = queued == nullptr ? wheel_.ahead(4) : &queued->flight;
        const std::uint32_t at = later == nullptr ? 0 : later->to;
        if (!steady_) __builtin_prefetch(&sent_[at]);
        network_.fetch(at);
        return at;
    }

    // Hands over what arrives next. Sending goes on meanwhile, so only the queue holds still for
    // it.
    template <class Receive>
    void deliver(const Receive& receive) {
        const bool queued = engine_ == Engine::queue;
        if (!queued) pop();
        receive(queued ? queue_.front().flight : current_);
        if (queued) queue_.pop();
    }

    void receive() { ++delivered_; }
    std::uint64_t number() const { return number_; }
    void recall(std::uint64_t number) { number_ = number; }  // of a flight that had to wait
    // Nobody is there to receive it.
    void miss(const Flight& flight, Id receiver, Time now) {
        ++missed_;
        diary_.note(now, trace::Kind::lose, receiver, flight.from, number_, "down");
    }

    // Sends it. Most messages go to the successor, whose place is at hand.
    [[gnu::always_inline]] void send(std::uint32_t at, Id me, std::uint32_t after, Id next,
                                     const Send<Message>& send, Time now) {
        if (!quick_ || send.to != next) return send_otherwise(at, me, after, next, send, now);
        if (!steady_) return send_at_risk(at, me, after, send, now);
        count(send.message);
        queue(now + network_.common_delay(), after, me, send.message);
    }

    void report(Outcome& outcome) const {
        for (std::size_t i = 0; i < types; ++i) {
            outcome.by_type.emplace_back(names()[i], by_type_[i]);
            outcome.messages += by_type_[i];
        }
        outcome.broadcasts = broadcasts_;
        outcome.copies = outcome.messages - broadcasts_ + broadcasts_ * (group_.size() - 1);
        outcome.delivered = delivered_;
        outcome.events += delivered_ + missed_;
        outcome.bits = all_bits();
    }

private:
    static constexpr std::size_t types = std::variant_size_v<Message>;
    enum class Engine : std::uint8_t { queue, wheel, heap };
    struct InOrder {
        Time time;
        Flight flight;
    };

    static auto names() {
        return []<class... Ts>(const std::variant<Ts...>*) {
            return std::span(distinct_names(Types<Ts...>{}));
        }(static_cast<const Message*>(nullptr));
    }

    std::uint32_t mutated_times(std::size_t type) const {
        if (mutation_.what == Mutation::What::nothing || mutation_.which != type) return 1;
        if (mutation_.what == Mutation::What::drop_send) return 0;
        return mutation_.what == Mutation::What::double_send ? 2 : 1;
    }

    void pop() {
        if (engine_ == Engine::wheel) {
            current_ = wheel_.pop();
        } else {
            Due<Flight> due = heap_.pop();
            number_ = due.number;
            current_ = std::move(due.what);
        }
    }

    // The bits of messages of one size are counted in the end.
    void count(const Message& message) {
        ++by_type_[message.index()];
        std::visit(
            [&]<class M>(const M& said) {
                if constexpr (!one_size<M>) bits_ += bits_of(said);
            },
            message);
    }
    std::uint64_t all_bits() const {
        return [&]<class... Ms>(const std::variant<Ms...>*) {
            std::uint64_t bits = bits_;
            std::size_t type = 0;
            ((bits += one_size<Ms> ? by_type_[type++] * bits_of(Ms{}) : (++type, 0)), ...);
            return bits;
        }(static_cast<const Message*>(nullptr));
    }

    // It may be lost or doubled, but not late.
    [[gnu::noinline]] void send_at_risk(std::uint32_t at, Id me, std::uint32_t after,
                                        const Send<Message>& send, Time now) {
        count(send.message);
        std::uint32_t copies = network_.copies(me, send.to, ++sent_[at]);
        for (; copies != 0; --copies) queue(now + network_.common_delay(), after, me, send.message);
    }

    // Where anything may happen, or it goes to others than the successor.
    [[gnu::noinline]] void send_otherwise(std::uint32_t at, Id me, std::uint32_t after, Id next,
                                          const Send<Message>& send, Time now) {
        for (std::uint32_t times = mutated_times(send.message.index()); times != 0; --times) {
            count(send.message);
            const std::uint32_t number = steady_ ? 0 : ++sent_[at];
            if (send.to == everyone)
                broadcast(at, me, send, number, now);
            else
                carry(at, me, send.to, send.to == next ? after : group_.position(send.to), send,
                      number, now);
        }
    }

    [[gnu::noinline]] void broadcast(std::uint32_t at, Id me, const Send<Message>& send,
                                     std::uint32_t number, Time now) {
        ++broadcasts_;
        diary_.note(now, trace::Kind::send, me, everyone, 0, send.message);
        for (std::uint32_t to = 0; to < group_.size(); ++to)
            if (to != at) carry(at, me, group_.ring[to], to, send, number, now);
    }

    [[gnu::always_inline]] void carry(std::uint32_t at, Id from, Id receiver, std::uint32_t to,
                                      const Send<Message>& send, std::uint32_t number, Time now) {
        if (steady_) return queue(now + network_.common_delay(), to, from, send.message);
        const Passage passage =
            network_.carry(at, from, receiver, number, send.to == everyone, now);
        const bool lost = passage.arrives == never;
        diary_.note(now, trace::Kind::send, from, receiver, lost ? 0 : pushed_ + 1, send.message);
        diary_.number(number);
        if (lost) [[unlikely]]
            return note_loss(from, receiver, number, now);
        push(passage.arrives, to, from, send.message);
        if (passage.again == never) [[likely]]
            return;
        diary_.note(now, trace::Kind::send, from, receiver, pushed_ + 1, send.message);
        diary_.number(number);
        push(passage.again, to, from, send.message);
    }

    [[gnu::cold]] void note_loss(Id from, Id receiver, std::uint32_t number, Time now) {
        diary_.note(now, trace::Kind::lose, receiver, from, 0,
                    network_.reaches(from, receiver) ? "lost" : "cut off");
        diary_.number(number);
    }

    void push(Time time, std::uint32_t to, Id from, const Message& message) {
        if (engine_ == Engine::queue)
            queue(time, to, from, message);
        else
            push_elsewhere(time, to, from, message);
    }

    [[gnu::noinline]] void push_elsewhere(Time time, std::uint32_t to, Id from,
                                          const Message& message) {
        if (engine_ == Engine::wheel)
            fill(wheel_.push(time), to, from, message);
        else
            heap_.push({time, ++pushed_, {to, from, message}});
    }

    [[gnu::always_inline]] void queue(Time time, std::uint32_t to, Id from,
                                      const Message& message) {
        InOrder& slot = queue_.push();
        slot.time = time;
        fill(slot.flight, to, from, message);
    }

    static void fill(Flight& flight, std::uint32_t to, Id from, const Message& message) {
        flight.to = to;
        flight.from = from;
        copy_message(flight.message, message);
    }

    // Part by part: the sender has written it this moment, and to read all of it at once would wait
    // for those parts to leave the processor's store buffer.
    static void copy_message(Message& to, const Message& from) {
        if constexpr (std::is_trivially_copyable_v<Message>)
            std::visit([&]<class M>(const M& message) { to.template emplace<M>(message); }, from);
        else
            to = from;
    }

    const Group& group_;
    Network& network_;
    Diary& diary_;
    Mutation mutation_;
    Engine engine_;
    bool quick_;   // all messages take the same time, and all that nodes send are sent
    bool steady_;  // and nothing can happen to them, so their numbers do not matter
    Queue<InOrder> queue_;
    std::uint64_t delivered_ = 0, missed_ = 0, bits_ = 0, broadcasts_ = 0;
    std::array<std::uint64_t, types> by_type_{};
    std::vector<std::uint32_t> sent_;  // per node, by position: the number of the last message
    Wheel<Flight> wheel_;
    Heap<Flight> heap_;
    std::uint64_t pushed_ = 0, number_ = 0;  // of flights, as a trace shows them
    Flight current_{};                       // arrives just now, unless it is queued
};

}  // namespace conclave::simulator
