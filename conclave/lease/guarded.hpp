// The agent that runs a lease, the guardian beside it, and the command that it guards: as a model.
//
// The deployed guardian is a process of its own. Here stands what it does, so that the simulator
// and the checker run the lease together with it: the work runs while the lease is held, stops in
// an orderly way or is killed at the deadline, and the guardian says farewell for an agent that is
// dead, never for one that is only paused.
#pragma once

#include <array>
#include <utility>

#include "conclave/lease/leased.hpp"
#include "conclave/lease/misfortunes.hpp"

namespace conclave::lease {

template <class A>
struct Guarded {
    // "leased-tempo"; the lease around nothing in particular is just "lease".
    static constexpr auto name = [] {
        constexpr std::string_view inner = A::card.name;
        std::array<char, inner.empty() ? 5 : 7 + inner.size()> letters{};
        std::string_view("leased-").copy(letters.data(), std::min<std::size_t>(7, letters.size()));
        inner.copy(letters.data() + letters.size() - inner.size(), inner.size());
        return letters;
    }();
    static constexpr Card card = [] {
        Card c = A::card;
        c.name = {name.data(), name.size()};
        return c;
    }();

    using Misfortunes = lease::Misfortunes;
    static constexpr std::uint8_t pauses = Misfortunes::index<AgentPauses>;
    static constexpr std::uint8_t resumes = Misfortunes::index<AgentResumes>;

    // It waits, besides, for
    struct Deadline {};  // the guardian's kernel timer
    struct Vanish {};    // the tree of the command is gone
    struct Notice {};    // an agent that goes on looks at its timers and its work

    struct Settings {
        typename A::Turn::Settings lease{};
        Duration stop = std::chrono::milliseconds(10);  // the command takes so long to stop
    };
    using Stored = typename A::Turn::Stored;
    using Turn =
        conclave::Turn<typename A::Turn::Messages,
                       decltype(typename A::Turn::Timers{} + Types<Deadline, Vanish, Notice>{}),
                       Settings, Stored, EffectsOf<A>>;

    // It remembers
    enum class Agent : std::uint8_t { up, paused, dead };
    enum class Work : std::uint8_t { none, running, stopping };
    A brain;
    Agent agent = Agent::up;
    Work work = Work::none;
    Ballot working;             // under which the work was started
    bool farewell = false;      // the guardian owes one
    std::uint32_t overdue = 0;  // timers that expired while the agent was paused: bits
    std::uint8_t returns = 0;   // how often the agent came back
    Stored disk;

    // It does
    template <class Event>
        requires Handles<A, Event>
    void on(const Event& event, Turn& turn) {
        if (agent == Agent::up) think(turn, [&](A& a, typename A::Turn& t) { a.on(event, t); });
        if constexpr (A::Turn::Timers::template contains<Event>)
            if (agent == Agent::paused) overdue |= 1u << A::Turn::Timers::template index<Event>;
    }

    void on(const Recover<Stored>& recover, Turn& turn) {
        disk = recover.stored;
        think(turn, [&](A& a, typename A::Turn& t) { conclave::recover(a, disk, t); });
    }

    // The lease ends, and nobody renewed it: the guardian kills the work, whatever the agent does.
    void on(Deadline, Turn& turn) {
        if (work == Work::none) return;
        const Ballot ended = working;
        vanish(turn);
        if (agent == Agent::paused && !kept(turn, Rule::silence_for_a_paused_agent))
            say_farewell(ended, turn);
    }

    void on(Vanish, Turn& turn) {
        if (work == Work::stopping) vanish(turn);
    }

    void on(AgentDies, Turn& turn) {
        if (agent == Agent::dead) return;
        agent = Agent::dead;
        brain = A{};
        overdue = 0;
        for (std::uint8_t t = 0; t < A::Turn::Timers::count; ++t)
            turn.effects.timers.push_back({t, false, {}});
        turn.stop(Notice{});
        turn.follow(nobody);
        if (work == Work::none) return;
        farewell = true;
        stop_work(turn);
        if (!kept(turn, Rule::release_after_work_is_gone)) say_farewell(working, turn);
    }

    void on(AgentPauses, Turn&) {
        if (agent == Agent::up) agent = Agent::paused;
    }

    // It finds its timers expired and its work, perhaps, gone: at once, but what came for it
    // meanwhile may be read before.
    void on(AgentResumes, Turn& turn) {
        if (agent != Agent::paused) return;
        agent = Agent::up;
        turn.set(Notice{}, Duration{0});
    }
    void on(Notice, Turn& turn) {
        if (agent != Agent::up) return;
        if (brain.acting && work == Work::none)
            think(turn, [](A& a, typename A::Turn& t) { a.on(Gone{}, t); });
        const std::uint32_t expired = std::exchange(overdue, 0);
        for (std::uint8_t t = 0; t < A::Turn::Timers::count; ++t)
            if ((expired >> t & 1) != 0)
                think(turn, [&](A& a, typename A::Turn& inner) { expire(a, t, inner); });
    }

    // R8: the lock is free only when agent, guardian and command are all gone.
    void on(AgentReturns, Turn& turn) {
        if (agent != Agent::dead || work != Work::none) return;
        agent = Agent::up;
        ++returns;
        if (disk == Stored{})  // no state file
            think(turn, [](A& a, typename A::Turn& t) { a.on(Start{}, t); });
        else
            think(turn, [&](A& a, typename A::Turn& t) { conclave::recover(a, disk, t); });
    }

    // Nobody notices before the agent reads it again.
    void on(FileVanishes, Turn& turn) {
        if (agent != Agent::dead || disk == Stored{}) return;
        disk = {};
        turn.store(disk);
    }

    void on(AskedToLeave, Turn& turn) {
        if (agent == Agent::up)
            think(turn, [](A& a, typename A::Turn& t) { a.on(Resign{t.next}, t); });
    }

    void on(GuardianDies, Turn& turn) {
        if (work == Work::none) return;
        farewell = false;
        vanish(turn);
    }

    // Who acts: whose work is alive, or whose agent believes that it holds the lease.
    bool acts(Time now) const {
        return work != Work::none || (agent != Agent::dead && brain.acting && brain.holds(now));
    }
    std::uint64_t token() const { return work == Work::none ? 0 : token_of(working); }

    std::string_view broken(const Turn&) const {
        return (work == Work::none) == working.stands() ? "work runs under a ballot, or not at all"
                                                        : "";
    }

    // For exhaustive search, as in Leased.
    void age(Duration by, const Settings& settings) { brain.age(by, settings.lease); }
    static constexpr std::uint64_t deaf_rules = A::deaf_rules;
    bool deaf(const typename Turn::Message& message, Id from, bool for_good) const {
        return brain.deaf(message, from, for_good && agent != Agent::dead);
    }

    std::string label() const {
        const std::string who = agent == Agent::up ? brain.label() : std::string(name_of(agent));
        return work == Work::none ? who : who + ", work " + std::string(name_of(work));
    }

private:
    // One turn of the agent, and what its guardian makes of it. Every life of the agent is another
    // incarnation, as every life of the machine is.
    template <class Handle>
    void think(Turn& turn, const Handle& handle) {
        const std::uint32_t machine = turn.incarnation;
        turn.incarnation += std::uint32_t{returns} << 16;
        const auto& effects = inner_turn(brain, turn.settings.lease, turn, handle);
        turn.incarnation = machine;
        if (effects.stored) {
            disk = *effects.stored;
            turn.store(disk);
        }
        pass_on<A>(effects, turn);
        if (!brain.acting) return;
        if (work == Work::none && effects.leader == turn.me) {
            work = Work::running;
            working = brain.candidacy.ballot;
        }
        turn.set(Deadline{}, std::max(brain.ends - turn.now, Duration{0}));
        if (brain.leaving && work == Work::running) stop_work(turn);
    }

    void stop_work(Turn& turn) {
        work = Work::stopping;
        turn.set(Vanish{}, turn.settings.stop);
    }

    void vanish(Turn& turn) {
        const Ballot ended = std::exchange(working, {});
        work = Work::none;
        turn.stop(Deadline{});
        turn.stop(Vanish{});
        if (agent == Agent::up)
            return think(turn, [](A& a, typename A::Turn& t) { a.on(Gone{}, t); });
        if (farewell && kept(turn, Rule::release_after_work_is_gone)) say_farewell(ended, turn);
        farewell = false;
    }

    // R7: with the proof that the agent is dead and the work gone.
    static void say_farewell(const Ballot& ended, Turn& turn) {
        turn.broadcast(Release{ended, nobody});
    }
};

}  // namespace conclave::lease
