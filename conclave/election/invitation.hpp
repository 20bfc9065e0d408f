// Garcia-Molina (1982), "Elections in a distributed computing system", IEEE Trans. Computers 31(1);
// as taught in "Lecture 9: Coordinator Election", "The Invitation Algorithm".
//
// Every process is in one group, alone if need be. Coordinators keep asking who else is one and
// invite those with their members; so groups merge until one is left in every part of the network.
// A period costs a coordinator N messages, a merge three for each member. Assumes nothing.
#pragma once

#include "conclave/core/algorithm.hpp"
#include "conclave/core/task.hpp"
#include "conclave/election/groups.hpp"

namespace conclave {

struct Invitation {
    static constexpr Card card{"invitation",
                               "Garcia-Molina 1982",
                               Network::full,
                               Links::any,
                               "N a period for each coordinator, 3 for each member of a merge",
                               "nothing; one group is left once the network is calm",
                               {.one_leader = false, .best = false}};

    struct Settings {
        Priority priority = Priority::delay;
        Wait wait = Wait::count;
        Merging merging = Merging::accept;
        Duration period = std::chrono::milliseconds(20);    // between two searches, and ...
        std::uint16_t jitter = 4;                           // ... up to so many timeouts more
        Duration timeout = std::chrono::milliseconds(2);    // for an answer, or a better inviter
        Duration presence = std::chrono::milliseconds(90);  // of a silent coordinator
        std::uint16_t parts = 0;                            // of the task; 0: there is none
        Duration work = std::chrono::milliseconds(1);       // for one part
    };

    static constexpr std::span<const Reading> readings() { return invitation_readings; }

    // It says
    struct Query {  // to all: are you a coordinator? I am
        GroupNumber group;
    };
    struct Answer {  // I am, if I founded this group; if you did, this is the work I know of
        GroupNumber group;
        Task task;
    };
    struct Invite {  // to coordinators, and from them to their members: come into this group
        GroupNumber group;
    };
    struct Ready {  // from its founder to those who came: so stands the task, go on
        GroupNumber group;
        Task task;
    };

    // It waits for
    struct Search {};    // the time to look for other coordinators
    struct Answers {};   // whoever can be reached has answered
    struct Merge {};     // no better coordinator has invited me
    struct Presence {};  // my coordinator is silent
    struct Work {};      // a part is done

    using Turn =
        conclave::Turn<Types<Query, Answer, Invite, Ready>,
                       Types<Search, Answers, Merge, Presence, Work>, Settings, GroupNumber>;

    // It remembers
    enum class Phase : std::uint8_t { normal, searching, merging, joining } phase = Phase::normal;
    GroupNumber group;
    std::uint32_t sequence = 0;  // of the last group that I founded
    IdSet members;               // of my group, if I founded it
    IdSet heard;                 // of these, since I last searched
    IdSet found;                 // other coordinators
    Task task;

    // It does. Who starts, recovers, loses its coordinator or has a new task is alone at first
    void on(Start, Turn& turn) { be_alone(turn); }
    void on(Call, Turn& turn) { be_alone(turn); }
    void on(Presence, Turn& turn) { be_alone(turn); }
    void on(const Recover<GroupNumber>& recover, Turn& turn) {
        sequence = recover.stored.sequence;
        be_alone(turn);
    }
    void be_alone(Turn& turn) {
        found_group(Phase::normal, turn);
        hand_out({{turn.me}}, turn);
        on(Search{}, turn);
    }
    void found_group(Phase why, Turn& turn) {
        halt(why, turn);
        group = {++sequence, turn.me};
        turn.store(group);
        turn.lead();
        turn.stop<Presence>();
        members = {{turn.me}};
    }

    // Discovery
    void on(Search, Turn& turn) {
        const auto jitter = static_cast<std::int64_t>(turn.choose(turn.settings.jitter + 1u));
        turn.set<Search>(turn.settings.period + jitter * turn.settings.timeout);
        if (phase == Phase::merging) return;
        phase = Phase::searching;
        heard = {{turn.me}};
        found = {};
        turn.broadcast(Query{group});
        turn.set<Answers>(turn.settings.timeout);
    }
    void on(const Query& query, Turn& turn) {
        const Priority way = turn.settings.priority;
        if (turn.from == group.founder) {
            if (query.group.sequence > group.sequence) return be_alone(turn);  // left behind
            if (query.group == group) turn.set<Presence>(turn.settings.presence);
        } else if (ignores_lower(way) && group.founder == turn.me && !turn.better(turn.from)) {
            if (way == Priority::hasten && phase == Phase::normal) on(Search{}, turn);
            return;
        }
        turn.reply(Answer{group, turn.from == group.founder ? task : Task{}});
    }
    void on(const Answer& answer, Turn& turn) {
        if (answer.group == group && group.founder == turn.me) return hear(answer.task, turn);
        members.erase(turn.from);
        if (answer.group.founder == turn.from) found.insert(turn.from);
    }
    void on(Answers, Turn& turn) {
        if (std::exchange(phase, Phase::normal) == Phase::merging) return hand_out(members, turn);
        if (!task.covered_by(heard)) hand_out(heard, turn);
        std::int64_t better = 0;
        for (const Id id : IdSet{found}) {
            if (!turn.better(id)) continue;
            if (turn.settings.priority == Priority::only_lower) found.erase(id);
            ++better;
        }
        if (!found.empty()) turn.set<Merge>(delay(better, turn));
    }
    static Duration delay(std::int64_t better, const Turn& turn) {
        if (turn.settings.priority != Priority::delay) return {};
        if (turn.settings.wait == Wait::count) return better * turn.settings.timeout;
        // The best has the priority N and does not wait, the second waits for one timeout.
        std::int64_t all = 0, priority = 0;
        for (const Id id : turn.group.ring) ++all, priority += !turn.better(id);
        return turn.settings.timeout * (all - 1) * (all - priority) / priority;
    }

    // Merging: work is halted until the new coordinator has put the state together
    void on(Merge, Turn& turn) {
        for (const Id id : members) found.insert(id);
        found_group(Phase::merging, turn);
        tell(found, Invite{group}, turn);
        turn.set<Answers>(2 * turn.settings.timeout);
    }
    void on(const Invite& invite, Turn& turn) {
        if (invite.group.founder == turn.me) return;  // my own, from one who took me for a member
        if (group.founder != turn.me && group.founder != turn.from) return;
        if (phase == Phase::joining) return;
        const bool yields = turn.settings.merging == Merging::accept && turn.better(turn.from);
        if (phase == Phase::merging && !yields) return;
        tell(members, invite, turn);
        halt(Phase::joining, turn);
        turn.stop<Search>();
        members = {};
        group = invite.group;
        turn.follow(group.founder);
        turn.send(group.founder, Answer{group, task});
        turn.set<Presence>(3 * turn.settings.timeout);
    }
    void halt(Phase why, Turn& turn) {
        phase = why;
        turn.stop<Answers>();
        turn.stop<Merge>();
        turn.stop<Work>();
    }
    void on(const Ready& ready, Turn& turn) {
        if (ready.group != group) return;
        phase = Phase::normal;
        task.merge(ready.task);
        turn.set<Presence>(turn.settings.presence);
        turn.set<Work>(turn.settings.work);
    }

    // The task: members report, their coordinator deals it out and tells them how it stands
    void hear(const Task& theirs, Turn& turn) {
        const bool newcomer = members.insert(turn.from);
        heard.insert(turn.from);
        const bool completed = task.merge(theirs);
        if (phase == Phase::merging) return;
        if (completed) return tell(members, Ready{group, task}, turn);
        const bool behind = theirs.deals < task.deals || (task.complete() && !theirs.complete());
        if (newcomer || behind) turn.reply(Ready{group, task});
    }
    void hand_out(const IdSet& workers, Turn& turn) {
        task.share(turn.settings.parts, workers);
        tell(members, Ready{group, task}, turn);
        turn.set<Work>(turn.settings.work);
    }
    void on(Work, Turn& turn) {
        if (phase == Phase::merging || phase == Phase::joining) turn.report("works while merging");
        if (!task.work(turn.me)) return;
        turn.set<Work>(turn.settings.work);
        if (group.founder != turn.me) return turn.send(group.founder, Answer{group, task});
        if (task.complete()) tell(members, Ready{group, task}, turn);
    }
    static void tell(const IdSet& whom, const Turn::Message& message, Turn& turn) {
        for (const Id id : whom)
            if (id != turn.me) turn.send(id, message);
    }

    std::string label() const {
        return "group " + group.name() + ", " + std::string(name_of(phase)) + task.progress();
    }
    std::string_view broken(const Turn&) const { return task.broken(); }
    std::string_view unfinished(const Turn& t) const { return task.missing(t.settings.parts); }
};

static_assert(Algorithm<Invitation>);

}  // namespace conclave
