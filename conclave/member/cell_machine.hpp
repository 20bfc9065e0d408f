// Candidates for the lease over a shared cell, and the cell itself, as one system for the simulator
// and the checker: node 1 is the cell, every other node a machine with an agent, its guardian and
// the command, as in machine.hpp.
//
// The agent's connection to the cell is a process of its own, which outlives it: when the agent is
// dead and the command gone, it frees the cell, however often that takes.
#pragma once

#include <string>

#include "conclave/core/around.hpp"
#include "conclave/lease/roster.hpp"
#include "conclave/lease/tenant.hpp"
#include "conclave/member/faults.hpp"

namespace conclave::member {

using conclave::operator==;
using lease::CellRule;
using lease::Contents;

struct CellMachine {
    static constexpr Card card{"cell",
                               "-",
                               Network::full,
                               Links::any,
                               "two for each heartbeat of each candidate",
                               "clocks run at rates within a stated ratio",
                               {.one_leader = true, .best = false, .informed = false},
                               true};
    using Faults = MemberFaults;

    // It waits, besides, for
    struct Deadline {};  // the guardian's kernel timer
    struct Vanish {};    // the tree of the command is gone
    struct Notice {};    // an agent that goes on looks at its timer and its work

    struct Settings {
        lease::TenantSettings tenant{};
        Duration longer{};  // L and D of the first candidate are so much longer
        Duration stop = std::chrono::milliseconds(10);    // the command takes so long to stop
        Duration answer = std::chrono::milliseconds(20);  // a cell that is up answers within
        bool watch = true;                                // changes are told to all candidates
    };
    using Stored = Contents;
    using Tenant = lease::Tenant;
    using Turn =
        conclave::Turn<Tenant::Turn::Messages,
                       decltype(Tenant::Turn::Timers{} + Types<Deadline, Vanish, Notice>{}),
                       Settings, Stored, EffectsOf<Tenant>>;

    // It remembers
    enum class Agent : std::uint8_t { up, paused, dead };
    enum class Work : std::uint8_t { none, running, stopping };
    bool is_cell = false;
    Contents contents;  // of the cell
    Tenant brain;
    Agent agent = Agent::up;
    Work work = Work::none;
    std::uint64_t working = 0;  // token under which the work was started
    bool guardian = false;      // watches over the work
    bool asleep = false;        // ... but is paused
    bool overdue = false;       // the agent's timer expired while it was paused
    std::uint8_t returns = 0;   // how often the agent came back
    std::uint64_t dead = 0;     // the life whose claim is to be freed; 0: none
    bool set_aside = false;     // by an operator

    // ---------------------------------------------------------------- it does: the cell

    void on(Start, Turn& turn) {
        is_cell = turn.me == lease::cell_id;
        if (!is_cell)
            return think(turn, [](Tenant& t, Tenant::Turn& inner) { t.on(Start{}, inner); });
        contents = {1, {}};
        turn.store(contents);
    }
    void on(const Recover<Stored>& recover, Turn& turn) {
        if (turn.me != lease::cell_id) return on(Start{}, turn);
        is_cell = true;
        contents = recover.stored;
    }
    void on(const lease::Read&, Turn& turn) {
        if (is_cell) turn.reply(lease::Told{contents});
    }
    void on(const lease::Write& write, Turn& turn) {
        if (!is_cell) return;
        const bool fits =
            write.version == contents.version || !kept(turn, CellRule::version_compared);
        if (fits) put(write.claim, turn);
        follow_holder(contents.claim, turn);
        if (fits && turn.settings.watch)
            turn.broadcast(lease::Told{contents});
        else
            turn.reply(lease::Told{contents});
    }

    // ---------------------------------------------------------------- a machine

    void on(const lease::Told& told, Turn& turn) {
        if (is_cell) return;
        if (agent == Agent::up) {
            tell(told, turn);
            follow_holder(brain.seen.claim, turn);
        }
        if (dead != 0) bury(told.now, turn);
    }
    void on(Tenant::Beat, Turn& turn) {
        if (agent == Agent::up) tell(Tenant::Beat{}, turn);
        if (agent == Agent::paused) overdue = true;
    }

    // The lease ends, and nobody renewed it: the guardian kills the work, whatever the agent does.
    void on(Deadline, Turn& turn) {
        const bool awake = guardian && !asleep;
        if (work != Work::none) vanish(turn);
        // A paused agent believes in its lease for longer, if the guardian was paused before it.
        if (agent == Agent::paused && brain.holds(turn.now))
            turn.set(Deadline{}, brain.ends - turn.now);
        if (agent == Agent::paused && awake && !kept(turn, CellRule::note_of_the_dead_only))
            send_note(turn);
    }
    void on(Vanish, Turn& turn) {
        if (work == Work::stopping) vanish(turn);
    }
    void on(Notice, Turn& turn) {
        if (agent != Agent::up) return;
        if (brain.acting && work == Work::none) tell(Tenant::Gone{}, turn);
        if (std::exchange(overdue, false)) tell(Tenant::Beat{}, turn);
    }

    void on(AgentDies, Turn& turn) {
        if (is_cell || agent == Agent::dead) return;
        agent = Agent::dead;
        if (!guardian) end_agent(turn);
        if (guardian && !asleep) stop_for_the_dead(turn);
    }
    void on(AgentPauses, Turn&) {
        if (!is_cell && agent == Agent::up) agent = Agent::paused;
    }
    void on(AgentResumes, Turn& turn) {
        if (agent != Agent::paused) return;
        agent = Agent::up;
        turn.set(Notice{}, Duration{0});
    }
    // The lock is free when agent, guardian and work are gone.
    void on(AgentReturns, Turn& turn) {
        if (agent != Agent::dead || work != Work::none) return;
        agent = Agent::up;
        ++returns;
        think(turn, [](Tenant& t, Tenant::Turn& inner) { t.on(Start{}, inner); });
        if (set_aside) tell(Tenant::Withdraw{}, turn);
    }
    void on(GuardianDies, Turn& turn) {
        if (work == Work::none || !guardian) return;
        guardian = asleep = false;
        stop_work(turn);
    }
    void on(GuardianPauses, Turn&) { asleep = guardian; }
    void on(GuardianResumes, Turn& turn) {
        if (!std::exchange(asleep, false)) return;
        if (agent == Agent::dead)
            stop_for_the_dead(turn);
        else
            heed_agent(turn);
    }
    void on(CommandEnds, Turn& turn) {
        if (work == Work::running && guardian && !asleep) vanish(turn);
    }
    void on(AgentSetAside, Turn& turn) {
        if (is_cell) return;
        set_aside = true;
        if (agent == Agent::up) tell(Tenant::Withdraw{}, turn);
    }
    void on(AgentReinstated, Turn& turn) {
        if (!std::exchange(set_aside, false)) return;
        if (agent == Agent::up) tell(Tenant::Stand{}, turn);
    }
    template <class Other>  // of disks and rosters, which it has not
        requires(Faults::template contains<Other>)
    void on(Other, Turn&) {}

    // ---------------------------------------------------------------- for hosts

    bool acts(Time now) const {
        return work != Work::none || (agent != Agent::dead && brain.acting && brain.holds(now));
    }
    std::uint64_t token() const { return working; }
    bool listens() const { return agent != Agent::paused; }
    bool votes() const { return is_cell || agent == Agent::up; }
    bool eligible(Id) const { return !is_cell && agent == Agent::up && brain.standing; }
    static bool rests() { return false; }
    lease::Roster roster() const { return {}; }  // over a cell there is none
    // The cell, and somebody who can take it.
    static bool suffices(const std::vector<Id>& meeting, std::size_t) {
        return meeting.size() > 1 && meeting.front() == lease::cell_id;
    }
    static Duration bound(const Settings& settings) {
        const lease::TenantSettings& tenant = settings.tenant;
        return 2 * tenant.promise - tenant.lease + settings.longer + 3 * tenant.heartbeat +
               4 * settings.answer + settings.stop;
    }
    static Duration answer(const Settings& settings) { return settings.answer; }

    std::string_view broken(const Turn&) const {
        return (work == Work::none) != (working == 0) ? "work runs under a token, or not at all"
                                                      : "";
    }
    void age(Duration by, const Settings& settings) {
        brain.age(by, settings.tenant.lease + settings.longer);
    }
    // An agent that stays as it is knows a newer version, and all that its writes came to.
    static constexpr std::uint64_t stale_rules = 0;
    bool stale(const Turn::Message& message, Id, bool for_good) const {
        const auto* const told = std::get_if<lease::Told>(&message);
        if (told == nullptr || !for_good || agent != Agent::up || set_aside || dead != 0)
            return false;
        return !is_cell && brain.knows(told->now);
    }
    std::string label() const {
        if (is_cell) return contents.claim.free() ? "free" : "held";
        const std::string who = agent != Agent::up ? std::string(name_of(agent))
                                : brain.acting     ? "acts"
                                : brain.standing   ? "stands"
                                                   : "abstains";
        return work == Work::none ? who : who + ", work " + std::string(name_of(work));
    }

private:
    // Where an answered write can be lost, it is stored only together with the next one.
    void put(const lease::Claim& claim, Turn& turn) {
        const Contents before = contents;
        contents = {before.version + 1, claim};
        turn.store(kept(turn, CellRule::writes_survive_failover) ? contents : before);
    }

    // As the diagram shows it; candidates in earnest know each other by name.
    static void follow_holder(const lease::Claim& claim, Turn& turn) {
        turn.follow(Id{static_cast<std::uint32_t>(claim.life >> 32 & 0xff)});
    }

    template <class Handle>
    void think(Turn& turn, const Handle& handle) {
        lease::TenantSettings settings = turn.settings.tenant;
        if (turn.me == Id{2}) {
            settings.promise += turn.settings.longer;
            settings.lease += turn.settings.longer;
        }
        const std::uint32_t machine = turn.incarnation;
        turn.incarnation += std::uint32_t{returns} << 16;
        const auto& effects = inner_turn(brain, settings, turn, handle);
        turn.incarnation = machine;
        const bool began = effects.leader == turn.me;
        pass_on<Tenant>(effects, turn);
        if (began && work == Work::none) {
            work = Work::running;
            guardian = true;
            working = brain.token;
        }
        if (guardian && !asleep) heed_agent(turn);
    }
    template <class Event>
    void tell(const Event& event, Turn& turn) {
        think(turn, [&](Tenant& t, Tenant::Turn& inner) { t.on(event, inner); });
    }

    void end_agent(Turn& turn) {
        brain = {};
        overdue = false;
        turn.stop(Tenant::Beat{});
        turn.stop(Notice{});
        turn.follow(nobody);
    }

    void heed_agent(Turn& turn) {
        turn.set(Deadline{}, std::max(brain.ends - turn.now, Duration{0}));
        if (brain.standing || work != Work::running) return;
        stop_work(turn);
        if (!kept(turn, CellRule::freed_after_work_is_gone)) tell(Tenant::Gone{}, turn);
    }
    void stop_work(Turn& turn) {
        work = Work::stopping;
        turn.set(Vanish{}, turn.settings.stop);
    }
    void stop_for_the_dead(Turn& turn) {
        stop_work(turn);
        if (!kept(turn, CellRule::freed_after_work_is_gone)) send_note(turn);
    }
    void vanish(Turn& turn) {
        const bool told = guardian && !asleep;
        work = Work::none;
        working = 0;
        guardian = asleep = false;
        if (agent != Agent::paused) turn.stop(Deadline{});  // else it ends what the agent believes
        turn.stop(Vanish{});
        if (agent == Agent::up) return tell(Tenant::Gone{}, turn);
        if (agent != Agent::dead) return;
        if (told && kept(turn, CellRule::freed_after_work_is_gone)) send_note(turn);
        end_agent(turn);
    }

    void send_note(Turn& turn) {
        dead = brain.life;
        free_cell(brain.seen.version, turn);
    }
    // Until the claim is another's, or nobody's.
    void bury(const Contents& now, Turn& turn) {
        const bool its_agent = now.claim.life == dead;
        if (its_agent || (!kept(turn, CellRule::note_of_its_agent_only) && !now.claim.free()))
            free_cell(now.version, turn);
        else
            dead = 0;
    }
    static void free_cell(std::uint64_t version, Turn& turn) {
        turn.send(lease::cell_id, lease::Write{version, {}});
    }
};

static_assert(Algorithm<CellMachine>);

}  // namespace conclave::member
