// The agent that runs a member, the guardian beside it, and the command that it guards: as a model.
//
// The deployed guardian is a process of its own. Here stands what it does, so that the simulator
// and the checker run the lease together with it: the work runs while the lease is held, stops in
// an orderly way or is killed at the deadline, and the guardian sends a death notice for an agent
// that is dead, never for one that is only paused. A guardian that is paused itself reads nothing,
// but the kernel's timer kills it, and the work with it, at the deadline that it last set.
//
// The agent is a whole member, or a lease alone: then nobody suspects anybody, and elections begin
// only where somebody calls them.
#pragma once

#include <optional>
#include <utility>

#include "conclave/member/brain.hpp"
#include "conclave/member/model_disk.hpp"

namespace conclave::member {

using lease::Ballot;
using lease::kept;
using lease::Rule;

// `Plan`: which changes of the roster an operator asks for; Nothing: none.
template <class A, class Plan = Nothing>
struct Machine {
    static constexpr Card card = card_of<A, Plan>();
    static constexpr bool whole = is_whole<A>;  // a member, not a lease alone
    static constexpr bool changes = whole && !std::same_as<Plan, Nothing>;  // its roster may
    using Faults = FaultsOf<A, Plan>;

    // It waits, besides, for
    struct Deadline {};  // the guardian's kernel timer
    struct Vanish {};    // the tree of the command is gone
    struct Notice {};    // an agent that goes on looks at its timers and its work
    struct Overdue {};   // a store is not done for too long
    struct Hooked {};    // the hooks of an agent that ends have run

    struct Settings {
        typename A::Turn::Settings agent{};
        Duration stop = std::chrono::milliseconds(10);  // the command takes so long to stop
        std::uint32_t witnesses = 0;  // the first so many members vote and never lead
        bool timers_first = false;    // of an agent that goes on: it looks at its work after them
        Duration hooks{};             // an agent that ends runs them for so long
        [[no_unique_address]] Plan plan{};
    };
    using Stored = typename A::Turn::Stored;
    using Turn = conclave::Turn<typename A::Turn::Messages,
                                decltype(typename A::Turn::Timers{} +
                                         Types<Deadline, Vanish, Notice, Overdue, Hooked>{}),
                                Settings, Stored, EffectsOf<A>>;

    // It remembers
    enum class Agent : std::uint8_t { up, paused, dead };
    enum class Work : std::uint8_t { none, running, stopping };
    enum class Disk : std::uint8_t { well, full, unsynced, unconfirmed, slow };
    A brain;
    Agent agent = Agent::up;
    Work work = Work::none;
    Ballot working;             // under which the work was started
    bool guardian = false;      // watches over the work
    bool death_notice = false;  // and owes a death notice
    std::uint32_t overdue = 0;  // timers that expired while the agent was paused: bits
    std::uint8_t returns = 0;   // how often the agent came back
    bool asleep = false;        // the guardian is paused
    Id successor = nobody;      // whom a death notice names
    bool waking = false;        // the agent goes on, and reads what waited for it
    bool hooked = false;        // the agent is to end, and its hooks have run
    Condition condition;        // as the agent is told
    Stored disk;  // as an agent would read it; what survives a crash of the machine, the host has
    Disk fault = Disk::well;
    SlowDisk<Stored, typename A::Turn::Message> slow;

    // It does
    template <class Event>
        requires Handles<A, Event> && (!std::same_as<Event, Present>)
    void on(const Event& event, Turn& turn) {
        if constexpr (changes && std::same_as<Event, Start>) tell_first_roster(*this, turn);
        if (agent == Agent::up) tell(event, turn);
        if constexpr (A::Turn::Timers::template contains<Event>)
            if (agent == Agent::paused) overdue |= 1u << A::Turn::Timers::template index<Event>;
    }

    void on(const Present& present, Turn& turn)
        requires whole
    {
        Present read = present;
        read.stale = waking;
        if (agent == Agent::up) tell(read, turn);
    }

    void on(const Recover<Stored>& recover, Turn& turn) {
        disk = recover.stored;
        come_back(turn);
    }

    // The lease ends, and nobody renewed it: the guardian kills the work, whatever the agent does.
    void on(Deadline, Turn& turn) {
        if (work == Work::none) return;
        const Ballot ended = working;
        const bool awake = guardian && !asleep;
        vanish(turn);
        if (agent == Agent::paused && awake && !kept(turn, Rule::silence_for_a_paused_agent))
            send_death_notice(ended, turn);
    }

    void on(Vanish, Turn& turn) {
        if (work == Work::stopping) vanish(turn);
    }

    void on(AgentDies, Turn& turn) {
        if (agent == Agent::dead) return;
        end_agent(turn);
        if (!guardian) return;
        death_notice = true;
        if (!asleep) bury_agent(turn);
    }
    void end_agent(Turn& turn) {
        agent = Agent::dead;
        brain = A{};
        overdue = 0;
        waking = hooked = false;
        slow = {};
        for (std::uint8_t t = 0; t < A::Turn::Timers::count; ++t)
            turn.effects.timers.push_back({t, false, {}});
        turn.stop(Notice{});
        turn.stop(Overdue{});
        turn.stop(Hooked{});
        turn.follow(nobody);
    }

    void on(AgentPauses, Turn&) {
        if (agent == Agent::up) agent = Agent::paused;
    }

    // It finds its timers expired and its work, perhaps, gone: at once, but what came for it
    // meanwhile may be read before.
    void on(AgentResumes, Turn& turn) {
        if (agent != Agent::paused) return;
        agent = Agent::up;
        waking = whole;
        turn.set(Notice{}, Duration{0});
    }
    void on(Notice, Turn& turn) {
        if (agent != Agent::up) return;
        waking = false;
        if (slow.writing && fault == Disk::well) finish_write(*this, turn);
        inform(turn);
        if (turn.settings.timers_first) expire_overdue(turn);
        const auto& lease = lease_in(brain);
        if ((lease.acting || lease.former) && work == Work::none && !rests()) tell_gone(turn);
        expire_overdue(turn);
        if constexpr (whole) end_if_departed(*this, turn);
    }
    void expire_overdue(Turn& turn) {
        const std::uint32_t expired = std::exchange(overdue, 0);
        for (std::uint8_t t = 0; t < A::Turn::Timers::count; ++t)
            if (agent == Agent::up && (expired >> t & 1) != 0)
                think(turn, [&](A& a, typename A::Turn& inner) { expire(a, t, inner); });
    }

    // The lock is free when agent and guardian are gone; of the work something may be left, which
    // the agent can know by its state folder only. It starts with a disk that works, and writes
    // down what it read.
    void on(AgentReturns, Turn& turn) {
        const bool guarded = work != Work::none && guardian;
        const bool lost = disk == Stored{};  // no state file
        if (agent != Agent::dead || guarded || fault != Disk::well) return;
        if (lost && work != Work::none) return;
        agent = Agent::up;
        ++returns;
        if (!lost) return come_back(turn);
        inform(turn);
        on(Start{}, turn);
    }

    // Nobody notices before the agent reads it again.
    void on(FileVanishes, Turn& turn) {
        if (agent != Agent::dead || disk == Stored{}) return;
        disk = {};
        turn.store(disk);
    }

    void on(AskedToLeave, Turn& turn) {
        if (agent == Agent::up) tell(lease::Resign{turn.next}, turn);
    }

    // The kernel is about to end the work: before the lease ends, or the margin was too short.
    void on(GuardianDies, Turn& turn) {
        if (work == Work::none || !guardian) return;
        guardian = death_notice = asleep = false;
        stop_work(turn);
    }

    void on(CommandEnds, Turn& turn) {
        if (work != Work::running || asleep || !guardian) return;
        if (agent != Agent::up) return vanish(turn);
        clear_work(turn);
        if constexpr (whole)
            tell(Ended{}, turn);
        else
            tell(lease::Anew{}, turn);
    }

    template <class Request>
        requires(Faults::template contains<Request> && Requests::contains<Request>)
    void on(Request request, Turn& turn) {
        heed(*this, request, turn);
    }

    void on(Overdue, Turn& turn) {
        if (agent == Agent::up && slow.writing) give_up_write(*this, turn);
    }
    void on(Hooked, Turn& turn) {
        hooked = agent != Agent::dead;
        if constexpr (whole) end_if_departed(*this, turn);
    }

    void on(GuardianPauses, Turn&) { asleep = guardian; }

    // It reads what it missed.
    void on(GuardianResumes, Turn& turn) {
        if (!std::exchange(asleep, false)) return;
        if (agent == Agent::dead)
            bury_agent(turn);
        else if (lease_in(brain).acting)
            heed_agent(turn);
    }

    // What a host needs to know of it, besides who acts: is what comes for the agent read now, and
    // can it promise?
    bool listens() const { return agent != Agent::paused; }
    const lease::Roster& roster() const { return lease_in(brain).disk.roster; }  // as it knows it
    bool votes() const {
        const auto& lease = lease_in(brain);
        const bool stores = fault == Disk::well && !slow.writing && !lease.failing;
        return agent == Agent::up && !lease.voter.amnesiac && stores;
    }
    bool works() const { return work != Work::none; }
    bool rests() const {  // it leads, and its work is about to start again
        if constexpr (whole)
            return agent != Agent::dead && brain.rests();
        else
            return false;
    }
    // Could it be elected?
    bool eligible(Id me) const {
        if constexpr (whole)
            return votes() && !brain.departing && brain.introduced.at(me).said.eligible();
        else
            return votes();
    }

    // Those that must meet for somebody to work.
    static bool suffices(const std::vector<Id>& meeting, std::size_t members) {
        return 2 * meeting.size() > members;
    }
    static Duration bound(const Settings& settings) {
        const Duration longest = longest_idle<A>(settings.agent);
        return longest == Duration{0} ? longest : longest + settings.stop;
    }
    static Duration answer(const Settings& settings) { return answer_of<A>(settings.agent); }
    // Who acts: whose work is alive, or whose agent believes that it holds the lease.
    bool acts(Time now) const {
        return work != Work::none ||
               (agent != Agent::dead && lease_in(brain).acting && lease_in(brain).holds(now));
    }
    std::uint64_t token() const { return work == Work::none ? 0 : lease::token_of(working); }

    std::string_view broken(const Turn&) const {
        return (work == Work::none) == working.stands() ? "work runs under a ballot, or not at all"
                                                        : "";
    }

    // For exhaustive search, as in Leased.
    void age(Duration by, const Settings& settings) { brain.age(by, settings.agent); }
    static constexpr std::uint64_t stale_rules = lease::stale_rules;
    bool stale(const typename Turn::Message& message, Id from, bool for_good) const
        requires(!whole)  // to a member every message is a sign of life
    {
        return brain.stale(message, from, for_good && agent != Agent::dead);
    }

    std::string label() const {
        const std::string who = agent == Agent::up ? brain.label() : std::string(name_of(agent));
        return work == Work::none ? who : who + ", work " + std::string(name_of(work));
    }

    // One turn of the agent, and what its guardian makes of it. Every life of the agent is another
    // incarnation, as every life of the machine is.
    template <class Handle>
    void think(Turn& turn, const Handle& handle) {
        const std::uint32_t machine = turn.incarnation;
        turn.incarnation += std::uint32_t{returns} << 16;
        const bool witness = static_cast<std::uint32_t>(turn.me) <= turn.settings.witnesses;
        const auto before =
            kept(turn, Rule::memory_never_behind_disk) ? std::nullopt : std::optional<A>(brain);
        auto& effects = witness
                            ? inner_turn(brain, as_witness<A>(turn.settings.agent), turn, handle)
                            : inner_turn(brain, turn.settings.agent, turn, handle);
        turn.incarnation = machine;
        const bool stored = effects.stored.has_value();
        const bool silent = kept(turn, Rule::silent_until_stored);
        const bool waits = stored && silent && (fault == Disk::slow || slow.writing);
        if (waits) begin_write(*this, effects, turn);
        const bool written = !stored || waits || write(*this, *effects.stored, turn);
        if (!written && before) {
            brain = *before;
            return;
        }
        perform(effects, written || !silent, turn);
        if (stored && !waits) written ? tell(lease::Kept{}, turn) : tell(lease::Unkept{}, turn);
        if constexpr (whole)  // it was asked to leave before anything was started
            if (brain.lease.acting && brain.lease.leaving && !works()) tell_gone(turn);
    }
    // What was said behind a store that failed does not leave.
    void perform(EffectsOf<A>& effects, bool written, Turn& turn) {
        if (!written) effects.sends.resize(effects.unbound);
        const std::optional<Id> led = effects.leader;
        pass_on<A>(effects, turn);
        if constexpr (whole) brain.news = {};
        const auto& lease = lease_in(brain);
        if (!lease.acting) return;
        if (work == Work::none && led == turn.me) {
            work = Work::running;
            guardian = true;
            working = lease.candidacy.ballot;
        }
        if (guardian && !asleep) heed_agent(turn);
    }

    // With what the disk holds, which is written again and so is there for good.
    void come_back(Turn& turn) {
        turn.store(disk);
        inform(turn);
        think(turn, [&](A& a, typename A::Turn& t) { conclave::recover(a, disk, t); });
        if (work == Work::none || !kept(turn, Rule::former_work_gone)) tell_gone(turn);
    }
    void tell_gone(Turn& turn) {
        tell(lease::Gone{}, turn);
        inform(turn);
        if constexpr (whole) end_if_departed(*this, turn);
    }
    void inform([[maybe_unused]] Turn& turn) {
        condition.able = work == Work::none || guardian;  // else something of a former life is left
        if constexpr (whole)
            if (agent == Agent::up) tell(condition, turn);
    }
    template <class Event>
    void tell(const Event& event, Turn& turn) {
        think(turn, [&](A& a, typename A::Turn& t) { a.on(event, t); });
    }
    // ------------------------------------------------------------ the guardian and the work

    void heed_agent(Turn& turn) {
        const auto& lease = lease_in(brain);
        turn.set(Deadline{}, std::max(lease.ends - turn.now, Duration{0}));
        if constexpr (whole) successor = brain.successor(turn.me);
        if (lease.leaving && work == Work::running) stop_work(turn);
    }
    void bury_agent(Turn& turn) {
        stop_work(turn);
        if (!kept(turn, Rule::release_after_work_is_gone)) send_death_notice(working, turn);
    }

    void stop_work(Turn& turn) {
        work = Work::stopping;
        turn.set(Vanish{}, turn.settings.stop);
    }

    void vanish(Turn& turn) {
        const Ballot ended = working;
        if (asleep) death_notice = false;  // it died in its sleep
        clear_work(turn);
        if (agent == Agent::up) return tell_gone(turn);
        if (death_notice && kept(turn, Rule::release_after_work_is_gone))
            send_death_notice(ended, turn);
        death_notice = false;
    }

    void clear_work(Turn& turn) {
        working = {};
        work = Work::none;
        guardian = asleep = false;
        turn.stop(Deadline{});
        turn.stop(Vanish{});
    }

    // R7: with the proof that the agent is dead and the work gone.
    void send_death_notice(const Ballot& ended, Turn& turn) {
        const lease::Release release{ended, std::exchange(successor, nobody)};
        if constexpr (whole)
            turn.broadcast(Died{release});
        else
            turn.broadcast(release);
    }
};

}  // namespace conclave::member
