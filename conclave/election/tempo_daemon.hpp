// The time daemon of TEMPO: what it says, waits for, remembers and can do. When it does what is
// the table in tempo.hpp, where the paper is named and the idea told.
#pragma once

#include "conclave/core/algorithm.hpp"
#include "conclave/election/tempo_protocol.hpp"
#include "conclave/election/tempo_settings.hpp"

namespace conclave {

struct TimeDaemon {
    static Prediction predict(const Census& census) {
        if (!census.succession || census.initiators != 1) return {};
        const std::uint64_t messages = 3 * std::uint64_t{census.nodes - census.down} - 1;
        return {messages, messages};
    }
    static constexpr Card card{"tempo",
                               "Gusella & Zatti 1985",
                               Network::full,
                               Links::any,
                               "3N-1; two candidates: 4N-2",
                               "broadcast; fail-stop; 2 delays < candidate timer; r > sync",
                               {.one_leader = false, .best = false},
                               /* restless */ true,
                               predict};

    // It says
    using Acknowledged = Tsp::Acknowledged;

    // It waits for
    struct StartupTimer {};
    struct NoMasterTimer {};
    struct ElectionTimer {};     // no adjustment for too long
    struct CandidateTimer {};    // no Accept any more
    struct AcceptTimer {};       // refuse others until then
    struct ConflictTimer {};     // no rival any more
    struct ConsistencyTimer {};  // no second master
    struct SyncTimer {};         // time for the next adjustment
    struct AnnounceTimer {};     // time for the master to announce itself (option)
    struct AskTimer {};          // no answer to Masterreq so far
    using Timers = Types<StartupTimer, NoMasterTimer, ElectionTimer, CandidateTimer, AcceptTimer,
                         ConflictTimer, ConsistencyTimer, SyncTimer, AnnounceTimer, AskTimer>;
    using Turn = conclave::Turn<Tsp::Messages, Timers, TempoSettings>;

    // It remembers
    // clang-format off
    enum class State : std::uint8_t {
        startup, no_master, master, slave, candidate, accept, conflict, consistency
    };
    // clang-format on
    State state = State::startup;
    Id leader = nobody;     // the master as I know it
    IdSet list;             // whom I adjust as master
    Id favourite = nobody;  // whose Election I accepted
    Duration patience{};    // the value of my election timer
    std::uint8_t collisions = 0;
    std::uint8_t asked = 0;  // so many copies of Masterreq
    bool overheard = false;  // in Start-up: another newcomer, or a candidate
    bool deputy = false;

    // It does: every event is looked up in the table
    using Events = decltype(Tsp::Messages{} + Timers{} + Types<Start, Call>{});
    template <class Event>
        requires Events::contains<Event>
    void on(const Event&, Turn& turn);
    void on(Suspect suspect, Turn& turn);
    void leave(State left, Turn& turn);
    static constexpr const auto& rows();
    static constexpr std::span<const Reading> readings() { return tempo_readings; }

    // The table's column "if"
    bool keeps(const Turn& turn) const {
        return turn.settings.reading.at_startup == TempoReading::AtStartup::keep;
    }
    bool has_heard(const Turn&) const { return overheard; }
    bool from_another(const Turn& turn) const { return turn.from != leader; }
    bool from_favourite(const Turn& turn) const { return turn.from == favourite; }
    bool obeys(const Turn& turn) const {
        if (turn.settings.ranked) return turn.group.rank(turn.from) > turn.rank();
        return turn.settings.reading.in_conflict == TempoReading::InConflict::obey;
    }
    bool succeeds(const Turn& turn) const { return deputy && turn.from == leader; }

    // The table's column "do": starting
    void ask_for_master(Turn& turn) {
        patience = draw(turn);
        ask(turn);
        turn.set<StartupTimer>(turn.settings.startup + some(turn.settings.startup_range, turn));
    }
    // The copies are spread evenly over the start-up timer. Once that has ended nobody asks: the
    // timer is not stopped, for it has a row in Start-up only.
    void ask(Turn& turn) {
        turn.broadcast(Tsp::Masterreq{});
        ++asked;
        if (turn.settings.reading.masterreq == TempoReading::Asking::repeated &&
            asked < turn.settings.copies)
            turn.set<AskTimer>(turn.settings.startup / turn.settings.copies);
    }
    void keep(Turn&) { overheard = true; }
    void wait_longer(Turn& turn) { turn.set<NoMasterTimer>(turn.settings.no_master); }
    void look_twice(Turn& turn) {
        follow(turn.from, turn);
        turn.set<ConsistencyTimer>(turn.settings.consistency);
    }
    void settle(Turn& turn) {
        turn.send(leader, Tsp::Slaveup{});
        arm(turn);
    }
    void report_conflict(Turn& turn) {
        turn.send(leader, Tsp::Conflict{});
        settle(turn);
    }

    // ... as a slave
    void arm(Turn& turn) {
        if (turn.settings.fresh) patience = draw(turn);
        turn.set<ElectionTimer>(deputy ? turn.settings.r : patience);
    }
    void join(Turn& turn) {
        follow(turn.from, turn);
        settle(turn);
    }
    void obey(Turn& turn) { heed(false, turn); }
    void obey_as_deputy(Turn& turn) { heed(true, turn); }
    void heed(bool as_deputy, Turn& turn) {
        follow(turn.from, turn);
        deputy = as_deputy;
        collisions = 0;
        arm(turn);
    }
    void accept(Turn& turn) {
        favourite = turn.from;
        turn.reply(Tsp::Accept{});
        turn.set<AcceptTimer>(turn.settings.accept);
        arm(turn);
    }
    void refuse(Turn& turn) { turn.reply(Tsp::Refuse{}); }
    void release(Turn&) { favourite = nobody; }

    // ... as a candidate
    void stand(Turn& turn) {
        turn.stop<ElectionTimer>();
        follow(nobody, turn);
        turn.broadcast(Tsp::Election{});
        turn.set<CandidateTimer>(turn.settings.candidate);
    }
    void count(Turn& turn) {
        enlist(turn);
        turn.set<CandidateTimer>(turn.settings.candidate);
    }
    void back_off(Turn& turn) {  // 5.2: as the Ethernet does
        follow(nobody, turn);
        collisions = static_cast<std::uint8_t>(std::min(collisions + 1, 10));
        patience = draw(turn);
        arm(turn);
    }

    // ... as the master
    void take_over(Turn& turn) {
        follow(turn.me, turn);
        turn.stop<ElectionTimer>();
        turn.set<SyncTimer>(turn.settings.sync);
        announce(turn);
    }
    void announce(Turn& turn) {
        turn.broadcast(Tsp::Masterup{});
        if (turn.settings.announce != Duration{0}) turn.set<AnnounceTimer>(turn.settings.announce);
    }
    void acknowledge(Turn& turn) { turn.reply(Tsp::Masterack{}); }
    void greet(Turn& turn) {
        acknowledge(turn);
        if (turn.settings.reading.newcomers == TempoReading::Enlisting::on_request) enlist(turn);
    }
    void enlist(Turn& turn) { list.insert(turn.from); }
    void strike_off(Turn& turn) { list.erase(turn.from); }
    void adjust(Turn& turn) {
        bool first = turn.settings.deputy;
        for (const Id slave : list) {
            first ? turn.send(slave, Tsp::Deputy{}) : turn.send(slave, Tsp::Sync{});
            first = false;
        }
        turn.set<SyncTimer>(turn.settings.sync);
    }
    void cut_short(Turn& turn) {
        turn.reply(Tsp::Quit{});
        enlist(turn);
    }
    void find_rivals(Turn& turn) {
        turn.broadcast(Tsp::Resolve{});
        turn.set<ConflictTimer>(turn.settings.conflict);
    }
    void dismiss(Turn& turn) {
        turn.reply(Tsp::Quit{});
        turn.set<ConflictTimer>(turn.settings.conflict);
    }
    void step_down(Turn& turn) {
        turn.stop<SyncTimer>();
        turn.stop<AnnounceTimer>();
        follow(turn.from, turn);
        arm(turn);
    }

    // The parts
    void follow(Id id, Turn& turn) {
        deputy = deputy && id == leader;
        leader = id;
        if (id != turn.me) list = {};
        turn.follow(id);
    }
    Duration draw(Turn& turn) const {
        return turn.settings.r + some(turn.settings.R * (1 << collisions), turn);
    }
    static Duration some(Duration range, Turn& turn) {
        return Duration{turn.choose(static_cast<std::uint64_t>(range.count()) + 1)};
    }

    std::string_view broken(const Turn& turn) const {
        const bool leads = state == State::master || state == State::conflict;
        if (leads != (leader == turn.me)) return "the master, and nobody else, follows itself";
        if (list.contains(turn.me)) return "a master is not on its own list";
        return {};
    }
};

}  // namespace conclave
