// The agent that runs a lease, the guardian beside it, and the command that it guards: as a model.
//
// The deployed guardian is a process of its own. Here stands what it does, so that the simulator
// and the checker run the lease together with it: the work runs while the lease is held, stops in
// an orderly way or is killed at the deadline, and the guardian says farewell for an agent that is
// dead, never for one that is only paused. A guardian that is paused itself reads nothing, but the
// kernel's timer kills it, and the work with it, at the deadline that it last set.
//
// Where `silence` is set, the agent also looks after its leader, as the deployed one does: it
// suspects a leader that it does not hear, and calls an election while there is none.
#pragma once

#include <array>
#include <optional>
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

    // It waits, besides, for
    struct Deadline {};  // the guardian's kernel timer
    struct Vanish {};    // the tree of the command is gone
    struct Notice {};    // an agent that goes on looks at its timers and its work
    struct Miss {};      // the leader is silent, or there is none

    struct Settings {
        typename A::Turn::Settings lease{};
        Duration stop = std::chrono::milliseconds(10);  // the command takes so long to stop
        Duration silence{};  // so long unheard, a leader is suspected; 0: nobody looks after it
        Duration queue{};    // the best calls an election at once, every lesser one so much later
        std::uint32_t witnesses = 0;  // the first so many members vote and never lead
    };
    using Stored = typename A::Turn::Stored;
    using Turn = conclave::Turn<typename A::Turn::Messages,
                                decltype(typename A::Turn::Timers{} +
                                         Types<Deadline, Vanish, Notice, Miss>{}),
                                Settings, Stored, EffectsOf<A>>;

    // It remembers
    enum class Agent : std::uint8_t { up, paused, dead };
    enum class Work : std::uint8_t { none, running, stopping };
    enum class Disk : std::uint8_t { well, full, unsynced, unconfirmed };
    A brain;
    Agent agent = Agent::up;
    Work work = Work::none;
    Ballot working;             // under which the work was started
    bool guardian = false;      // watches over the work
    bool farewell = false;      // and owes a farewell
    std::uint32_t overdue = 0;  // timers that expired while the agent was paused: bits
    std::uint8_t returns = 0;   // how often the agent came back
    bool asleep = false;        // the guardian is paused
    Id leader = nobody;         // whom the agent follows, where it looks after it
    IdSet doubted;              // whom it suspects
    Stored disk;  // as an agent would read it; what survives a crash of the machine, the host has
    Disk fault = Disk::well;

    // It does
    template <class Event>
        requires Handles<A, Event>
    void on(const Event& event, Turn& turn) {
        if constexpr (std::same_as<Event, Start>) look_after(nobody, turn);
        if constexpr (A::Turn::Messages::template contains<Event>) hear(turn);
        if (agent == Agent::up) tell(event, turn);
        if constexpr (A::Turn::Timers::template contains<Event>)
            if (agent == Agent::paused) overdue |= 1u << A::Turn::Timers::template index<Event>;
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
        leader = nobody;
        doubted = {};
        for (std::uint8_t t = 0; t < A::Turn::Timers::count; ++t)
            turn.effects.timers.push_back({t, false, {}});
        turn.stop(Notice{});
        turn.stop(Miss{});
        turn.follow(nobody);
        if (!guardian) return;
        farewell = true;
        if (!asleep) bury_agent(turn);
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
        if ((brain.acting || brain.former) && work == Work::none) tell(Gone{}, turn);
        const std::uint32_t expired = std::exchange(overdue, 0);
        for (std::uint8_t t = 0; t < A::Turn::Timers::count; ++t)
            if ((expired >> t & 1) != 0)
                think(turn, [&](A& a, typename A::Turn& inner) { expire(a, t, inner); });
        if (leader != turn.me) look_after(leader, turn);
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
        look_after(nobody, turn);
        tell(Start{}, turn);
    }

    // Nobody notices before the agent reads it again.
    void on(FileVanishes, Turn& turn) {
        if (agent != Agent::dead || disk == Stored{}) return;
        disk = {};
        turn.store(disk);
    }

    void on(AskedToLeave, Turn& turn) {
        if (agent == Agent::up) tell(Resign{turn.next}, turn);
    }

    // The kernel is about to end the work: before the lease ends, or the margin was too short.
    void on(GuardianDies, Turn& turn) {
        if (work == Work::none || !guardian) return;
        guardian = farewell = asleep = false;
        stop_work(turn);
    }

    void on(CommandEnds, Turn& turn) {
        if (work != Work::running || asleep || !guardian) return;
        if (agent != Agent::up) return vanish(turn);
        clear_work(turn);
        tell(Anew{}, turn);
    }

    void on(DiskFills, Turn&) { fault = Disk::full; }
    void on(FolderUnsynced, Turn&) { fault = Disk::unsynced; }
    void on(WriteUnconfirmed, Turn&) { fault = Disk::unconfirmed; }
    // The agent tries again now and then.
    void on(DiskRecovers, Turn& turn) {
        fault = Disk::well;
        if (agent == Agent::up && brain.failing)
            think(turn, [](A& a, typename A::Turn& t) { a.catch_up(t); });
    }

    void on(GuardianPauses, Turn&) { asleep = guardian; }

    // It reads what it missed.
    void on(GuardianResumes, Turn& turn) {
        if (!std::exchange(asleep, false)) return;
        if (agent == Agent::dead)
            bury_agent(turn);
        else if (brain.acting)
            heed_agent(turn);
    }

    // A leader that is not heard is suspected first; while there is none, elections are called.
    void on(Miss, Turn& turn) {
        if (agent != Agent::up || leader == turn.me) return;
        if (leader != nobody) {
            const Id silent = leader;
            doubted.insert(silent);
            turn.follow(nobody);
            look_after(nobody, turn);
            turn.set(Miss{}, place_in_queue(turn));
            return tell_if_handled(Suspect{silent}, turn);
        }
        const Duration beat = turn.settings.lease.heartbeat;
        const Duration some{static_cast<std::int64_t>(
            turn.choose(static_cast<std::uint64_t>(std::max<std::int64_t>(beat.count(), 1))))};
        turn.set(Miss{}, beat + some + place_in_queue(turn));
        tell_if_handled(Call{}, turn);
    }

    // What a host needs to know of it, besides who acts: is what comes for the agent read now, and
    // can it promise?
    bool listens() const { return agent != Agent::paused; }
    bool votes() const {
        return agent == Agent::up && !brain.voter.blank && fault == Disk::well && !brain.failing;
    }
    bool works() const { return work != Work::none; }

    // The longest time without work while a majority is up, connected and left in peace: what was
    // promised to others runs out, once before and once after somebody comes up; then an election,
    // and an ask that comes too early is repeated.
    static Duration bound(const Settings& settings) {
        const auto& lease = settings.lease;
        const Duration slow = lease.promise - lease.lease;  // for clocks that are
        return 2 * (lease.promise + slow) + 3 * lease.heartbeat + settings.queue * 5 / 2 +
               settings.stop;
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
        const bool witness = static_cast<std::uint32_t>(turn.me) <= turn.settings.witnesses;
        const auto before =
            kept(turn, Rule::memory_never_behind_disk) ? std::nullopt : std::optional<A>(brain);
        auto& effects = witness ? inner_turn(brain, settings_of_witness(turn), turn, handle)
                                : inner_turn(brain, turn.settings.lease, turn, handle);
        turn.incarnation = machine;
        const bool stored = effects.stored.has_value();
        const bool written = !stored || write(*effects.stored, turn);
        if (!written && before) {
            brain = *before;
            return;
        }
        perform(effects, written || !kept(turn, Rule::silent_until_stored), turn);
        if (stored) written ? tell(Kept{}, turn) : tell(Unkept{}, turn);
    }
    // What was said behind a store that failed does not leave.
    void perform(EffectsOf<A>& effects, bool written, Turn& turn) {
        if (!written) effects.sends.resize(effects.unbound);
        const std::optional<Id> led = effects.leader;
        pass_on<A>(effects, turn);
        if (led && *led != leader) look_after(*led, turn);
        if (!brain.acting) return;
        if (work == Work::none && led == turn.me) {
            work = Work::running;
            guardian = true;
            working = brain.candidacy.ballot;
        }
        if (guardian && !asleep) heed_agent(turn);
    }

    // Is it known to be on disk?
    bool write(const Stored& stored, Turn& turn) {
        if (fault == Disk::full) return false;
        disk = stored;
        if (fault != Disk::unsynced) turn.store(disk);
        return fault == Disk::well ||
               (fault == Disk::unsynced && !kept(turn, Rule::folder_synchronised));
    }

    // With what the disk holds, which is written again and so is there for good.
    void come_back(Turn& turn) {
        turn.store(disk);
        look_after(nobody, turn);
        think(turn, [&](A& a, typename A::Turn& t) { conclave::recover(a, disk, t); });
        if (work == Work::none || !kept(turn, Rule::former_work_gone)) tell(Gone{}, turn);
    }
    static typename A::Turn::Settings settings_of_witness(const Turn& turn) {
        auto settings = turn.settings.lease;
        settings.witness = true;
        return settings;
    }
    template <class Event>
    void tell(const Event& event, Turn& turn) {
        think(turn, [&](A& a, typename A::Turn& t) { a.on(event, t); });
    }
    template <class Event>
    void tell_if_handled(const Event& event, Turn& turn) {
        if constexpr (Handles<A, Event>) tell(event, turn);
    }

    // ------------------------------------------------------------ the agent and its leader

    void look_after(Id whom, Turn& turn) {
        if (turn.settings.silence == Duration{0}) return;
        leader = whom;
        if (leader == turn.me)
            turn.stop(Miss{});
        else
            turn.set(Miss{}, turn.settings.silence +
                                 (leader == nobody ? place_in_queue(turn) : Duration{0}));
    }
    // Who speaks lives.
    void hear(Turn& turn) {
        if (agent != Agent::up || turn.settings.silence == Duration{0}) return;
        if (turn.from == leader) look_after(leader, turn);
        if (doubted.erase(turn.from)) tell_if_handled(Trust{turn.from}, turn);
    }
    Duration place_in_queue(const Turn& turn) const {
        std::int64_t better = 0;
        for (const Id id : turn.group.ring) better += turn.better(id) && !doubted.contains(id);
        return better * turn.settings.queue;
    }

    // ------------------------------------------------------------ the guardian and the work

    void heed_agent(Turn& turn) {
        turn.set(Deadline{}, std::max(brain.ends - turn.now, Duration{0}));
        if (brain.leaving && work == Work::running) stop_work(turn);
    }
    void bury_agent(Turn& turn) {
        stop_work(turn);
        if (!kept(turn, Rule::release_after_work_is_gone)) say_farewell(working, turn);
    }

    void stop_work(Turn& turn) {
        work = Work::stopping;
        turn.set(Vanish{}, turn.settings.stop);
    }

    void vanish(Turn& turn) {
        const Ballot ended = working;
        if (asleep) farewell = false;  // it died in its sleep
        clear_work(turn);
        if (agent == Agent::up) return tell(Gone{}, turn);
        if (farewell && kept(turn, Rule::release_after_work_is_gone)) say_farewell(ended, turn);
        farewell = false;
    }

    void clear_work(Turn& turn) {
        working = {};
        work = Work::none;
        guardian = asleep = false;
        turn.stop(Deadline{});
        turn.stop(Vanish{});
    }

    // R7: with the proof that the agent is dead and the work gone.
    static void say_farewell(const Ballot& ended, Turn& turn) {
        turn.broadcast(Release{ended, nobody});
    }
};

}  // namespace conclave::lease
