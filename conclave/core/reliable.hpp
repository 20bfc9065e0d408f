// Messages that arrive or fail: acknowledgement, sequence numbers, retransmission (Gusella & Zatti
// 1985, section 4).
//
// Reliable<A> is the algorithm A with its messages numbered. Those that A::Acknowledged lists are
// repeated until the addressee acknowledges them; after settings.copies copies the addressee is
// taken to be down, and A is told so by Suspect. Acknowledgements are sent whatever A's state, and
// for duplicates too, which A never sees. Everything else is sent once, with the number 0.
#pragma once

#include "conclave/core/around.hpp"
#include "conclave/core/reading.hpp"

namespace conclave {

template <class M>
struct Numbered {
    static constexpr std::string_view called = type_name<M>();
    std::uint32_t number = 0;  // counts the messages to one addressee; 0: wants no acknowledgement
    M message{};
};

// Says that a message has arrived; its number is that of the message. The time is not used here: it
// gives an acknowledgement the layout of the protocol that this was taken from (section 4).
struct Receipt {
    static constexpr std::string_view called = "Ack";
    Duration time{};
};

// "Accept#3"; what the message carries is shown when it carries anything.
template <class M>
std::string text(const Numbered<M>& numbered) {
    const bool bare = numbered.message == M{};
    return (bare ? std::string(type_name<M>()) : text(numbered.message)) +
           (numbered.number == 0 ? "" : "#" + std::to_string(numbered.number));
}

namespace detail {
template <class... Ms>
Types<Numbered<Ms>...> numbered_messages(Types<Ms...>);
}

template <class A>
struct Reliable {
    static constexpr Card card = A::card;

    using Ack = Numbered<Receipt>;
    struct Resend {};
    using Narrow = typename A::Turn::Message;
    using Messages =
        decltype(detail::numbered_messages(typename A::Turn::Messages{}) + Types<Ack>{});
    using Timers = decltype(typename A::Turn::Timers{} + Types<Resend>{});
    using Turn = conclave::Turn<Messages, Timers, typename A::Turn::Settings,
                                typename A::Turn::Stored, EffectsOf<A>>;

    struct Link {
        Id peer = nobody;
        std::uint32_t sent = 0;    // the last number that I used
        std::uint32_t heard = 0;   // the greatest that I heard ...
        std::uint64_t window = 0;  // ... and which of the 64 up to it
    };
    struct Pending {
        Id to = nobody;
        std::uint32_t number = 0;
        std::uint32_t copies = 1;  // sent so far
        bool waited = false;       // for a whole interval at least
        Narrow message{};
    };

    // It remembers
    A algorithm{};
    std::uint32_t origin = 0;  // my numbers start behind it
    std::vector<Link> links;   // ordered by peer
    std::vector<Pending> pending;

    // It does
    template <class Event>
        requires Handles<A, Event>
    void on(const Event& event, Turn& turn) {
        // A node that starts anew must not repeat the numbers of its former life: its clock has
        // run on for longer than it can have sent messages.
        if constexpr (std::same_as<Event, Start> || std::same_as<Event, RecoverOf<A>>)
            origin = static_cast<std::uint32_t>(turn.now / std::chrono::microseconds(1));
        hand_in(event, turn);
    }

    template <class M>
    void on(const Numbered<M>& numbered, Turn& turn) {
        if (numbered.number != 0) {
            turn.reply(Ack{numbered.number, {}});
            if (!is_new(numbered.number, link(turn.from))) return;
        }
        hand_in(numbered.message, turn);
    }

    void on(const Ack& ack, Turn& turn) {
        const auto sent = std::find_if(pending.begin(), pending.end(), [&](const Pending& p) {
            return p.to == turn.from && p.number == ack.number;
        });
        if (sent == pending.end()) return;
        pending.erase(sent);
        if (pending.empty()) turn.template stop<Resend>();
    }

    void on(Resend, Turn& turn) {
        std::vector<Id> silent;
        for (Pending& p : pending) {
            if (p.waited && p.copies >= turn.settings.copies) silent.push_back(p.to);
            if (p.waited && p.copies < turn.settings.copies) turn.send(p.to, numbered(p));
            p.copies += p.waited;
            p.waited = true;
        }
        std::erase_if(pending, [&](const Pending& p) { return p.copies > turn.settings.copies; });
        if (!pending.empty()) turn.template set<Resend>(turn.settings.resend);
        for (const Id id : silent) hand_in(Suspect{id}, turn);
    }

    static constexpr const auto& rows()
        requires requires { A::rows(); }
    {
        return A::rows();
    }
    static constexpr std::span<const Reading> readings() { return readings_of<A>(); }
    std::string label() const { return label_of(algorithm); }
    std::string_view broken(const Turn& turn) const {
        return broken_invariant(algorithm, turn_inside<A>(turn, turn.settings));
    }

private:
    template <class Event>
    void hand_in(const Event& event, Turn& turn) {
        const EffectsOf<A>& effects =
            inner_turn(algorithm, turn.settings, turn,
                       [&](A& inner, typename A::Turn& now) { offer(inner, event, now); });
        if (effects.stored) turn.store(*effects.stored);
        pass_on_unsent<A>(effects, turn);
        for (const auto& send : effects.sends) post(send, turn);
    }

    void post(const Send<Narrow>& send, Turn& turn) {
        const bool acknowledged = std::visit(
            []<class M>(const M&) { return A::Acknowledged::template contains<M>; }, send.message);
        Pending p{.to = send.to, .message = send.message};
        if (acknowledged && send.to != everyone) {
            p.number = next_number(link(send.to));
            if (pending.empty()) turn.template set<Resend>(turn.settings.resend);
            pending.push_back(p);
        }
        turn.send(p.to, numbered(p));
    }

    static typename Turn::Message numbered(const Pending& p) {
        return std::visit(
            [&]<class M>(const M& message) {
                return typename Turn::Message{Numbered<M>{p.number, message}};
            },
            p.message);
    }

    Link& link(Id peer) {
        const auto at = std::lower_bound(links.begin(), links.end(), peer,
                                         [](const Link& l, Id id) { return l.peer < id; });
        if (at != links.end() && at->peer == peer) return *at;
        return *links.insert(at, {.peer = peer, .sent = origin});
    }

    static std::uint32_t next_number(Link& link) {
        if (++link.sent == 0) ++link.sent;
        return link.sent;
    }

    // Is this the first copy? A number far off the others means that the sender has started anew.
    static bool is_new(std::uint32_t number, Link& link) {
        const auto ahead = static_cast<std::int32_t>(number - link.heard);
        if (link.window != 0 && ahead <= 0 && ahead > -64) {
            const std::uint64_t bit = std::uint64_t{1} << -ahead;
            const bool first = (link.window & bit) == 0;
            link.window |= bit;
            return first;
        }
        link.window = link.window != 0 && ahead > 0 && ahead < 64 ? link.window << ahead | 1 : 1;
        link.heard = number;
        return true;
    }
};

}  // namespace conclave
