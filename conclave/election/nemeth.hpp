// Németh (1987), "An election algorithm for a multiprocessor controlled digital exchange",
// Periodica Polytechnica Electrical Engineering 31.
//
// A node that misses the coordinator or comes up sends a timestamped candidate message to all; the
// earliest candidacy wins, for whoever hears of an earlier one gives up, and who has not within T
// is coordinator and reorganizes those that acknowledged. 2c(N-1) messages for c candidates, then
// 3(N-1). Assumes that no message is lost, order is kept, no delay exceeds k, and T > 2k,
// R >= 3k, t > T + R (R >= k will do if the commit may come in state e).
#pragma once

#include "conclave/core/reading.hpp"
#include "conclave/core/table.hpp"
#include "conclave/election/two_phase_commit.hpp"

namespace conclave {

struct Nemeth {
    // Among those that are left; the paper counts the N-1 copies of a candidate message, not one.
    static Prediction predict(const Census& census) {
        if (!census.succession) return {};
        const std::uint64_t left = census.nodes - census.down;
        const std::uint64_t messages = census.initiators * left + 3 * (left - 1);
        return {messages, messages};
    }
    static constexpr Card card{"nemeth",
                               "Németh 1987",
                               Network::full,
                               Links::fifo,
                               "2c(N-1) with c candidates, then 3(N-1)",
                               "no loss, order kept, delay <= k, T > 2k, R >= 3k, t > T + R; "
                               "nodes that come back need repair=on",
                               {.best = false},
                               /* restless */ false,
                               predict};

    // It says, always with the time of its logical clock (assumption 8)
    struct Candidate {  // one stamp a candidacy, however many copies
        std::uint64_t stamp;
    };
    struct Acknowledge {  // names the candidacy, or an old one would enter a new list
        std::uint64_t stamp, candidacy, prepared, applied;
    };
    using Reorganize = TwoPhaseCommit::Reorganize;
    using Prepared = TwoPhaseCommit::Prepared;
    using Commit = TwoPhaseCommit::Commit;
    struct Life {
        std::uint64_t stamp;
    };
    struct Alive {
        std::uint64_t stamp;
    };
    using Messages = Types<Candidate, Acknowledge, Reorganize, Prepared, Commit, Life, Alive>;

    // It waits for: in each state for one timer
    struct LifeTimer {};          // a
    struct CandidateTimer {};     // b
    struct ElectionTimer {};      // c
    struct ReorganizingTimer {};  // d
    struct LifeInterval {};       // e
    using Timers = Types<LifeTimer, CandidateTimer, ElectionTimer, ReorganizingTimer, LifeInterval>;

    enum class Clocks : std::uint8_t { counter, running };
    enum class LifeFrom : std::uint8_t { own, any };
    enum class Compare : std::uint8_t { printed, current };
    enum class Recovery : std::uint8_t { zero, kept };
    struct Settings {                                                // for delays up to k = 1ms
        Duration life_timer = std::chrono::milliseconds(10);         // L > life interval + k, R + k
        Duration candidate_timer = std::chrono::milliseconds(3);     // T > 2k
        Duration election_timer = std::chrono::milliseconds(7);      // t > T + R
        Duration reorganizing_timer = std::chrono::milliseconds(3);  // R >= 3k
        Duration life_interval = std::chrono::milliseconds(5);       // > 2k
        bool repair = false;  // see docs/findings/nemeth.md: b insists, d and e always yield
        Compare compare = Compare::printed;  // d and e: with the winning message, or the clock
        Recovery recovery = Recovery::zero;  // the clock of a node that comes up again

        Clocks clocks = Clocks::counter;
        std::uint16_t clock_range = 16;  // running: how far a clock gets between two candidacies
        LifeFrom life = LifeFrom::own;
    };
    static constexpr std::array readings_listed{
        Reading{"clocks", "counter",
                "assumption 9: \"a form of logical clock system is implemented based upon "
                "timestamped message exchanges\", as Lamport's, which counts events from 0"},
        Reading{"clocks", "running",
                "assumption 9: \"each node has its own clock, running at different speeds and set "
                "to different clock values\""},
        Reading{"life", "own",
                "the same sentence: the coordinator that reorganized this node, for it sends life "
                "messages \"to every active node (from its list)\""},
        Reading{"life", "any",
                "\"All other nodes wait for a life message from the coordinator\": from whoever "
                "says that it is"},
    };
    static constexpr std::span<const Reading> readings() { return readings_listed; }
    struct Stored {
        std::uint64_t clock = 0;
        Configuration applied;
    };
    using Turn = conclave::Turn<Messages, Timers, Settings, Stored>;

    // It remembers
    enum class State : std::uint8_t {
        active,        // a
        candidate,     // b
        election,      // c
        reorganizing,  // d: coordinator
        coordinator,   // e: in active mode
    } state = State::candidate;
    std::uint64_t clock = 0;      // of its next event (assumption 9)
    std::uint64_t candidacy = 0;  // stamp of its last candidate message
    IdSet acknowledged;           // its list of working nodes
    TwoPhaseCommit commit;
    bool smaller = false;  // the candidacy at hand is less than its own: event 2, else event 3

    // It does. Rule 1: a node that is (re)introduced stands; its candidate message has stamp 0.
    void on(Start, Turn& turn) {
        if (turn.settings.clocks == Clocks::running) clock = 1;  // only who returns stands at 0
        stand(turn);
    }
    void on(const Recover<Stored>& last, Turn& turn) {
        if (turn.settings.recovery == Recovery::kept) clock = last.stored.clock;
        commit.prepared = commit.applied = last.stored.applied;
        stand(turn);
    }
    // Somebody else misses the coordinator, as an agent's failure detector does: event 1.
    void on(Call, Turn& turn) {
        if (state != State::active) return;
        turn.stop(LifeTimer{});
        take<LifeTimer>(turn);
    }
    // Rule 3
    void on(Candidate message, Turn& turn) {
        smaller = std::pair(message.stamp, turn.from) < std::pair(own_stamp(turn), turn.me) ||
                  (turn.settings.repair && leads());
        hear(message.stamp, turn);
        const std::uint64_t prepared = commit.prepared.number, applied = commit.applied.number;
        turn.reply(Acknowledge{tick(turn), message.stamp, prepared, applied});
        take<Candidate>(turn);
        smaller = false;
    }
    // Rule 2
    void on(const Acknowledge& message, Turn& turn) {
        hear(message.stamp, turn);
        if (state != State::candidate || message.candidacy != candidacy) return;
        acknowledged.insert(turn.from);
        commit.hear_of(message.prepared, message.applied);
    }
    void on(const Reorganize& message, Turn& turn) {
        hear(message.stamp, turn);
        if (!take<Reorganize>(turn)) return;
        if (commit.prepare({message.number, turn.from, message.members}, message.decided))
            keep(turn);
        turn.reply(Prepared{tick(turn), message.number});
    }
    void on(const Prepared& message, Turn& turn) {
        hear(message.stamp, turn);
        if (leads() && commit.count(turn.from, message.number)) apply_all(turn);
    }
    void on(const Commit& message, Turn& turn) {
        hear(message.stamp, turn);
        if (state != State::active || !commit.may_apply(turn.from, message.number)) return;
        commit.apply();  // not in c, where it has already told a candidate what it applied
        keep(turn);
    }
    void on(Life message, Turn& turn) {
        hear(message.stamp, turn);
        turn.reply(Alive{tick(turn)});
        take<Life>(turn);
    }
    void on(Alive message, Turn& turn) {
        hear(message.stamp, turn);
        if (!commit.in_doubt()) commit.awaited.erase(turn.from);
    }
    template <class Timer>
        requires(Timers::contains<Timer>)
    void on(Timer, Turn& turn) {
        take<Timer>(turn);
    }

    // Conditions of the table's column "if" ...
    bool less(const Turn&) const { return smaller; }
    bool greater(const Turn&) const { return !smaller; }
    bool counts(const Turn& turn) const {
        return turn.settings.life == LifeFrom::any || turn.from == commit.prepared.coordinator;
    }
    bool silent(const Turn&) const { return !commit.awaited.empty(); }

    // ... and in its column "do"
    void stand(Turn& turn);
    void yield(Turn& turn);
    void insist(Turn& turn);
    void win(Turn& turn);
    void join(Turn& turn);
    void send_life(Turn& turn);
    void alarm(Turn& turn);

    std::uint64_t tick(Turn& turn) {
        const std::uint64_t now = clock++;
        if (turn.settings.recovery == Recovery::kept) keep(turn);
        return now;
    }
    void hear(std::uint64_t stamp, Turn& turn) {
        clock = std::max(clock, stamp + 1);
        tick(turn);
    }
    // In a and c nothing of its own competes: whatever is compared, events 2 and 3 both lead to c.
    std::uint64_t own_stamp(const Turn& turn) const {
        const bool printed = turn.settings.compare == Compare::printed;
        return state == State::candidate || (leads() && printed) ? candidacy : clock;
    }
    bool leads() const { return state == State::reorganizing || state == State::coordinator; }
    void apply_all(Turn& turn) {
        commit.apply();
        send_list(Commit{tick(turn), commit.applied.number}, turn);
        keep(turn);
    }
    void keep(Turn& turn) const { turn.store({clock, commit.applied}); }
    void send_list(const Turn::Message& message, Turn& turn) const {
        for (const Id id : acknowledged) turn.send(id, message);
    }
    template <class Event>
    bool take(Turn& turn);  // does what the table says; true if that changed the state
    static constexpr const auto& rows();

    std::string_view broken(const Turn& turn) const {
        if (acknowledged.contains(turn.me)) return "a node lists itself";
        if (candidacy >= clock) return "a candidacy is not in the past";
        if (commit.applied.number > commit.prepared.number) return "applied, not prepared";
        return {};
    }
};

}  // namespace conclave

#include "conclave/election/nemeth_table.hpp"  // what it does, state by state
