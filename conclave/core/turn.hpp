// The whole world as one node sees it: one event comes in, some effects go out.
#pragma once

#include <cstdint>

#include "conclave/core/effects.hpp"
#include "conclave/core/id.hpp"
#include "conclave/core/ports.hpp"
#include "conclave/core/time.hpp"
#include "conclave/core/types.hpp"

namespace conclave {

// Events besides an algorithm's own messages and timers. An algorithm handles those it cares for.
struct Start {};  // the node comes up, remembering nothing
struct Call {};   // somebody calls for an election
struct Suspect {  // the failure detector thinks that this node is down ...
    Id id;
};
struct Trust {  // ... and now no longer
    Id id;
};
template <class Stored>
struct Recover {  // the node comes up again with what it last stored
    Stored stored;
};

// The one source of chance: seeded, recorded or exhaustive, as the host likes.
struct Chance {
    virtual std::uint64_t choose(std::uint64_t n) = 0;  // 0 .. n-1

protected:
    ~Chance() = default;
};

// Rows of a transition table or numbered rules, switched off to show that they are needed, and
// the rows that fired.
struct Rows {
    std::uint64_t off = 0;
    std::uint64_t fired = 0;
    std::uint64_t rules_off = 0;
};

template <class Messages_, class Timers_ = Types<>, class Settings_ = Nothing,
          class Stored_ = Nothing, class InnerEffects = Nothing>
struct Turn {
    using Messages = Messages_;
    using Timers = Timers_;
    using Settings = Settings_;
    using Stored = Stored_;
    using Message = typename Messages::template into<std::variant>;
    using Effects = conclave::Effects<Message, Stored, InnerEffects>;

    // Given by the host, once
    Effects& effects;
    const Settings& settings;
    const Group& group;
    Chance& chance;
    Rows& rows;

    // True for this turn
    Id me = nobody;
    Id next = nobody;               // my successor, where the network is a ring
    Id from = nobody;               // the sender of the message at hand
    Time now{};                     // on my own clock
    std::uint32_t incarnation = 1;  // another number each time the node comes up

    // In a graph instead of `next` and `from`, which are nobody there
    Ports ports{};
    Port port = no_port;  // that the message at hand came through

    Id previous() const { return group.before(me); }
    Rank rank() const { return group.rank(me); }
    bool better(Id id) const { return group.rank(id) > rank(); }  // than me

    // Requests to the host
    // `message` is one of Messages, or a Message; it is written once, where it stays.
    template <class M>
    void send(Id to, const M& message) {
        effects.sends.emplace_back(to, message);
    }
    template <class M>
    void send(Port through, const M& message) {
        send(group.ring[ports.places[static_cast<std::uint32_t>(through)]], message);
    }
    template <class M>
    void send_through_all(const M& message, Port but = no_port) {
        for (std::uint32_t port_at = 0; port_at < ports.count(); ++port_at)
            if (Port{port_at} != but) send(Port{port_at}, message);
    }
    template <class M>
    void broadcast(const M& message) {
        send(everyone, message);
    }
    template <class M>
    void reply(const M& message) {
        send(from, message);
    }
    void follow(Id leader) { effects.leader = leader; }
    void lead() { follow(me); }
    // Messages from here on leave only when this is on disk; those before it do not
    // wait.
    void store(const Stored& stored) {
        if (!effects.stored) effects.unbound = effects.sends.size();
        effects.stored = stored;
    }
    void report(std::string_view what) { effects.reports.push_back(what); }
    std::uint64_t choose(std::uint64_t n) { return chance.choose(n); }

    template <class Timer>
    void set(Timer, Duration after) {  // the same, for templates to spell
        set<Timer>(after);
    }
    template <class Timer>
    void stop(Timer) {
        stop<Timer>();
    }
    template <class Timer>
    void set(Duration after) {
        effects.timers.push_back({Timers::template index<Timer>, true, after});
    }
    template <class Timer>
    void stop() {
        effects.timers.push_back({Timers::template index<Timer>, false, {}});
    }
};

}  // namespace conclave
