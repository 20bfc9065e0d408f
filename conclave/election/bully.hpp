// Garcia-Molina (1982), "Elections in a distributed computing system", IEEE Trans. Computers 31(1);
// as taught in CS425 (Mittal 2023), "Bully Algorithm"; the state of the task that a coordinator
// hands over is that of "Lecture 9: Coordinator Election".
//
// Whoever misses the coordinator asks all better processes. If none answers in time, it is the best
// and bullies the others into following it; if one answers, that one goes on in its place.
// N counts the dead coordinator. Best case: N-2 messages, one delay. Worst case: N(N-1)/2 Election,
// (N-1)(N-2)/2 Disagree and N-2 Coordinator, four delays. Assumes that no message is lost or takes
// longer than Tm, that an answer leaves within Tp, and that the timeout is 2Tm + Tp.
#pragma once

#include "conclave/core/algorithm.hpp"
#include "conclave/core/reading.hpp"
#include "conclave/core/task.hpp"

namespace conclave {

struct Bully {
    static Prediction predict(const Census& census) {
        if (census.initiators != 1 || census.down != 1) return {};  // who notices the dead leader
        const std::uint64_t n = census.nodes, live = n - 1;
        std::uint64_t asked = 0;  // everybody asks all that are better, the dead ones too
        for (std::uint64_t place = 1; place <= live; ++place) asked += n - place;
        const std::uint64_t answers = live * (live - 1) / 2;
        return {live - 1, asked + answers + live - 1};
    }
    static constexpr Card card{"bully",
                               "Garcia-Molina 1982",
                               Network::full,
                               Links::any,
                               "N-2 .. N(N-1)/2 + (N-1)(N-2)/2 + N-2, the dead leader counted",
                               "no loss, known bounds on delay, no recovery of a better process",
                               {},
                               /* restless */ false,
                               predict};

    enum class News : std::uint8_t { best, last };
    enum class Trusting : std::uint8_t { detector, messages };  // what lifts a suspicion
    struct Settings {
        Duration timeout = std::chrono::milliseconds(2);   // first: 2Tm + Tp
        Duration patience = std::chrono::milliseconds(4);  // second: the worst-case turnaround
        Duration grace = std::chrono::milliseconds(4);     // for who comes up: 3Tm + Tp at least
        News news = News::best;
        Trusting trusting = Trusting::detector;
        bool listen = true;       // who comes up unnoticed calls an election by itself
        std::uint16_t parts = 0;  // of the task; 0: there is none
        Duration work = std::chrono::milliseconds(1);  // for one part
    };

    // Most charitable first: who keeps to the better coordinator agrees after every recovery (B5);
    // a detector that counts alone is not overruled by what a process sent before it failed.
    static constexpr std::array readings_listed{
        Reading{"news", "best",
                "Lecture 9: \"The idea behind the Bully Algorithm is to elect the highest-numbered "
                "participant\": who follows a better one does not follow a worse"},
        Reading{"news", "last",
                "Lecture 9: \"it sends the lower level participants a message declaring itself the "
                "boss\": whoever declared itself last is"},
        Reading{
            "trusting", "detector",
            "CS425: \"Use the failure detector\": what it says of a process counts, not a message "
            "that the process sent before it failed"},
        Reading{"trusting", "messages",
                "CS425: \"if an answer received however, then there is some non-faulty higher "
                "process\""},
    };
    static constexpr std::span<const Reading> readings() { return readings_listed; }

    // It says
    struct Election {};     // to all better ones: is any of you alive?
    struct Disagree {};     // I am
    struct Coordinator {};  // to all lesser ones: follow me
    struct Ask {};          // to all: I just came up. Who leads, and how does the task stand?
    struct Report {         // to the coordinator: the work that I know of
        Task task;
    };
    struct State {  // from the coordinator: how the task stands
        Task task;
    };

    // It waits for
    struct FirstTimeout {};   // whoever lives has answered by now
    struct SecondTimeout {};  // somebody answered, but nobody became coordinator
    struct Notice {};         // all that is suspected at one moment counts together
    struct Listen {};         // nobody elected anybody since I came up
    struct Work {};           // a part is done

    using Turn = conclave::Turn<Types<Election, Disagree, Coordinator, Ask, Report, State>,
                                Types<FirstTimeout, SecondTimeout, Notice, Listen, Work>, Settings>;

    // It remembers
    enum class Phase : std::uint8_t { idle, asking, calling, waiting, announcing };
    Phase phase = Phase::idle;
    Id leader = nobody;
    IdSet suspected;
    IdSet reported;  // to me, the coordinator
    Task task;

    // It does
    void on(Start, Turn& turn) {
        if (turn.settings.listen) turn.set<Listen>(turn.settings.timeout + turn.settings.patience);
    }
    void on(const Recover<Nothing>&, Turn& turn) { ask(turn); }
    void on(Listen, Turn& turn) {
        if (phase == Phase::idle) ask(turn);
    }
    void on(Call, Turn& turn) {
        if (phase == Phase::idle) elect(turn);  // at most one election of its own at a time
    }
    void on(Suspect suspect, Turn& turn) {
        suspected.insert(suspect.id);
        if (reported.erase(suspect.id) && leader == turn.me) hand_out(turn);  // its share, too
        if (suspect.id != leader) return;
        turn.follow(leader = nobody);
        turn.set<Notice>(Duration{0});
    }
    void on(Notice, Turn& turn) {
        if (phase == Phase::idle && leader == nobody) elect(turn);
    }
    void on(Trust trust, Turn& turn) {
        suspected.erase(trust.id);
        if (turn.better(trust.id) && leader == turn.me && phase != Phase::calling) elect(turn);
    }

    void on(Election, Turn& turn) {
        if (turn.better(turn.from)) return;
        lift(turn);
        turn.reply(Disagree{});
        on(Call{}, turn);
    }
    void on(Disagree, Turn& turn) {
        lift(turn);
        if (phase != Phase::calling) return;
        phase = Phase::waiting;
        if (leader == turn.me) turn.follow(leader = nobody);
        turn.stop<FirstTimeout>();
        turn.set<SecondTimeout>(turn.settings.patience);
    }
    void lift(Turn& turn) {
        if (turn.settings.trusting == Trusting::messages) suspected.erase(turn.from);
    }
    void on(FirstTimeout, Turn& turn) {
        if (phase == Phase::asking) return elect(turn);
        if (phase == Phase::calling) return lead(turn);
        phase = Phase::idle;
        if (turn.settings.parts != 0) hand_out(turn);
    }
    void on(SecondTimeout, Turn& turn) { elect(turn); }

    void on(Coordinator, Turn& turn) {
        const bool worse = turn.settings.news == News::best && leader != nobody &&
                           leader != turn.me && turn.group.better(leader, turn.from);
        if (worse) turn.follow(leader = nobody);  // either may be dead: both are asked
        if (!turn.better(turn.from) || suspected.contains(turn.from) || worse)
            return on(Call{}, turn);  // it knows too little
        settle(turn.from, turn);
        if (turn.settings.parts != 0) turn.reply(Report{task});
    }

    // A process that comes up takes the task's state, then calls an election. It waits until one
    // that overlooked it is over: otherwise somebody might hear of that one's winner last.
    void ask(Turn& turn) {
        phase = Phase::asking;
        turn.broadcast(Ask{});
        turn.set<FirstTimeout>(turn.settings.grace);
    }
    void on(Ask, Turn& turn) {
        suspected.erase(turn.from);
        if (leader == turn.me) turn.reply(State{task});
    }

    void elect(Turn& turn) {
        bool highest = true;
        for (const Id id : turn.group.ring)
            if (turn.better(id) && !suspected.contains(id)) highest = false;
        if (highest) return lead(turn);
        phase = Phase::calling;
        for (const Id id : turn.group.ring)
            if (turn.better(id)) turn.send(id, Election{});
        turn.set<FirstTimeout>(turn.settings.timeout);
    }
    // While the news is on its way, a question needs no second announcement.
    void lead(Turn& turn) {
        settle(turn.me, turn);
        phase = Phase::announcing;
        for (const Id id : turn.group.ring)
            if (turn.group.rank(id) < turn.rank()) turn.send(id, Coordinator{});
        turn.set<FirstTimeout>(turn.settings.timeout);
        reported = {{turn.me}};
    }
    void settle(Id chosen, Turn& turn) {
        phase = Phase::idle;
        turn.stop<FirstTimeout>();
        turn.stop<SecondTimeout>();
        turn.stop<Listen>();
        turn.follow(leader = chosen);
    }

    // The task: everybody reports, the coordinator merges, shares the rest out and tells everybody.
    void on(const Report& report, Turn& turn) {
        if (leader != turn.me) return;
        reported.insert(turn.from);
        if (task.merge(report.task)) tell_state(turn);
    }
    void hand_out(Turn& turn) {
        task.share(turn.settings.parts, reported);
        tell_state(turn);
        turn.set<Work>(turn.settings.work);
    }
    void tell_state(Turn& turn) {
        for (const Id id : turn.group.ring)
            if (turn.group.rank(id) < turn.rank()) turn.send(id, State{task});
    }
    void on(const State& state, Turn& turn) {
        task.merge(state.task);
        turn.set<Work>(turn.settings.work);
    }
    void on(Work, Turn& turn) {
        if (!task.work(turn.me)) return;
        if (leader != nobody && leader != turn.me) turn.send(leader, Report{task});
        if (leader == turn.me && task.complete()) tell_state(turn);
        turn.set<Work>(turn.settings.work);
    }

    std::string label() const { return std::string(name_of(phase)) + task.progress(); }
    std::string_view broken(const Turn&) const { return task.broken(); }
    std::string_view unfinished(const Turn& t) const { return task.missing(t.settings.parts); }
};

static_assert(Algorithm<Bully>);

}  // namespace conclave
