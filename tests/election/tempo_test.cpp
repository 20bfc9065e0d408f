// Single turns of a time daemon: every cell of the table, filled or blank, and what the options
// change.
#include "conclave/election/tempo.hpp"

#include <gtest/gtest.h>

#include "tests/election/actor.hpp"

namespace conclave {
namespace tempo_test {

using enum TimeDaemon::State;
using State = TimeDaemon::State;
using D = TimeDaemon;
using namespace std::chrono_literals;

// Node 2 of five, in any state as it may well be: 1 is the master where there is another one, 3
// was accepted, 1 and 4 are on the list. Its election timer's value is 2 s.
struct Daemon : Actor<TimeDaemon> {
    explicit Daemon(State state) : Actor(2, 5) {
        node.state = state;
        node.patience = 2s;
        if (state == slave || state == accept || state == consistency) node.leader = Id{1};
        if (state == accept) node.favourite = Id{3};
        if (state == master || state == conflict) node.leader = Id{2};
        if (state == master || state == conflict || state == candidate)
            node.list = {{Id{1}, Id{4}}};
    }
    // "what it asks for -> its new state"
    template <class Event>
    std::string upon(const Event& event, std::uint32_t from = 3) {
        std::string all;
        for (std::string line : after(event, from)) {
            if (const auto unused = line.find("(0s)"); unused != std::string::npos)
                line.erase(unused, 4);
            all += line + "; ";
        }
        EXPECT_EQ(broken, "") << all;
        return all + "-> " + std::string(name_of(node.state));
    }
};
template <class Event>
std::string cell(State in, const Event& event, std::uint32_t from = 3) {
    return Daemon(in).upon(event, from);
}

// ---------------------------------------------------------------- 6.1, state by state

TEST(Tempo, start_up_asks_for_the_master_and_waits) {
    EXPECT_EQ(cell(startup, Start{}), "Set(StartupTimer, 25ms); Broadcast(Masterreq); -> startup");
    EXPECT_EQ(cell(startup, Tsp::Masterack{}),
              "Follow(3); Set(ConsistencyTimer, 12ms); Stop(StartupTimer); -> consistency");
    EXPECT_EQ(cell(startup, D::StartupTimer{}), "Set(NoMasterTimer, 25ms); -> no_master");
    EXPECT_EQ(cell(startup, Tsp::Masterup{}),
              "Follow(3); Set(ElectionTimer, 2s); Stop(StartupTimer); Send(3, Slaveup); -> slave");
}

TEST(Tempo, no_master_yields_to_a_newcomer_a_candidate_and_a_master_or_becomes_it) {
    EXPECT_EQ(cell(no_master, Tsp::Masterreq{}),
              "Set(ElectionTimer, 2s); Stop(NoMasterTimer); -> slave");
    EXPECT_EQ(cell(no_master, Tsp::Election{}),
              "Set(ElectionTimer, 2s); Stop(NoMasterTimer); -> slave");
    EXPECT_EQ(cell(no_master, Tsp::Masterup{}),
              "Follow(3); Set(ElectionTimer, 2s); Stop(NoMasterTimer); Send(3, Slaveup); -> slave");
    EXPECT_EQ(cell(no_master, D::NoMasterTimer{}),
              "Follow(2); Stop(ElectionTimer); Set(SyncTimer, 1s); Broadcast(Masterup); -> master");
    EXPECT_EQ(cell(no_master, Tsp::Masterack{}),
              "Follow(3); Set(ConsistencyTimer, 12ms); Stop(NoMasterTimer); -> consistency");
}

TEST(Tempo, consistency_looks_for_a_second_master_and_tells_the_first) {
    EXPECT_EQ(cell(consistency, Tsp::Masterack{}),
              "Set(ElectionTimer, 2s); Stop(ConsistencyTimer); Send(1, Conflict); "
              "Send(1, Slaveup); -> slave");
    EXPECT_EQ(cell(consistency, Tsp::Masterack{}, 1), "-> consistency") << "a duplicate";
    EXPECT_EQ(cell(consistency, D::ConsistencyTimer{}),
              "Set(ElectionTimer, 2s); Send(1, Slaveup); -> slave");
    EXPECT_EQ(cell(consistency, Tsp::Masterup{}),
              "Follow(3); Set(ElectionTimer, 2s); Stop(ConsistencyTimer); Send(3, Slaveup); "
              "-> slave");
}

TEST(Tempo, a_slave_waits_for_adjustments_and_stands_when_they_cease) {
    EXPECT_EQ(cell(slave, Tsp::Sync{}), "Follow(3); Set(ElectionTimer, 2s); -> slave");
    EXPECT_EQ(cell(slave, Tsp::Masterup{}),
              "Follow(3); Set(ElectionTimer, 2s); Send(3, Slaveup); -> slave");
    EXPECT_EQ(cell(slave, Tsp::Election{}),
              "Set(AcceptTimer, 120ms); Set(ElectionTimer, 2s); Send(3, Accept); -> accept");
    const std::string stands =
        "Follow(0); Stop(ElectionTimer); Set(CandidateTimer, 12ms); Broadcast(Election); "
        "-> candidate";
    EXPECT_EQ(cell(slave, D::ElectionTimer{}), stands);
    EXPECT_EQ(cell(slave, Call{}), stands);
}

TEST(Tempo, who_accepted_a_candidate_refuses_all_others) {
    EXPECT_EQ(cell(accept, Tsp::Election{}, 4), "Send(4, Refuse); -> accept");
    EXPECT_EQ(cell(accept, Tsp::Election{}),
              "Set(AcceptTimer, 120ms); Set(ElectionTimer, 2s); Send(3, Accept); -> accept")
        << "the same candidate gets the same answer, else a duplicate would refuse it";
    EXPECT_EQ(cell(accept, D::AcceptTimer{}), "-> slave");
    EXPECT_EQ(cell(accept, Tsp::Masterup{}),
              "Follow(3); Set(ElectionTimer, 2s); Send(3, Slaveup); -> accept");
    EXPECT_EQ(cell(accept, Tsp::Sync{}), "Follow(3); Set(ElectionTimer, 2s); -> accept");
    EXPECT_EQ(cell(accept, D::ElectionTimer{}), "Set(ElectionTimer, 2s); -> accept");
}

TEST(Tempo, who_is_released_from_accept_may_accept_anybody) {
    Daemon daemon(accept);
    daemon.upon(D::AcceptTimer{});
    EXPECT_EQ(daemon.node.favourite, nobody);
    EXPECT_EQ(daemon.upon(Tsp::Election{}, 4),
              "Set(AcceptTimer, 120ms); Set(ElectionTimer, 2s); Send(4, Accept); -> accept");
}

TEST(Tempo, a_candidate_becomes_master_unless_it_is_refused) {
    EXPECT_EQ(cell(candidate, Tsp::Accept{}), "Set(CandidateTimer, 12ms); -> candidate");
    EXPECT_EQ(cell(candidate, D::CandidateTimer{}),
              "Follow(2); Stop(ElectionTimer); Set(SyncTimer, 1s); Broadcast(Masterup); -> master");
    EXPECT_EQ(cell(candidate, Tsp::Refuse{}),
              "Follow(0); Set(ElectionTimer, 1.5s); Stop(CandidateTimer); -> slave");
    EXPECT_EQ(cell(candidate, Tsp::Election{}), "Send(3, Refuse); -> candidate");
    EXPECT_EQ(cell(candidate, Tsp::Quit{}),
              "Follow(3); Stop(SyncTimer); Stop(AnnounceTimer); Set(ElectionTimer, 2s); "
              "Stop(CandidateTimer); -> slave");
    EXPECT_EQ(cell(candidate, Tsp::Masterup{}),
              "Follow(3); Set(ElectionTimer, 2s); Stop(CandidateTimer); Send(3, Slaveup); "
              "-> slave");
    EXPECT_EQ(cell(candidate, Tsp::Sync{}),
              "Follow(3); Set(ElectionTimer, 2s); Stop(CandidateTimer); -> slave");
}

TEST(Tempo, a_master_adjusts_its_slaves_and_answers) {
    EXPECT_EQ(cell(master, D::SyncTimer{}),
              "Set(SyncTimer, 1s); Send(1, Sync); Send(4, Sync); -> master");
    EXPECT_EQ(cell(master, Tsp::Masterreq{}), "Send(3, Masterack); -> master");
    EXPECT_EQ(cell(master, Tsp::Resolve{}), "Send(3, Masterack); -> master");
    EXPECT_EQ(cell(master, Tsp::Election{}), "Send(3, Quit); -> master");
    EXPECT_EQ(cell(master, Tsp::Conflict{}),
              "Set(ConflictTimer, 12ms); Broadcast(Resolve); -> conflict");
    EXPECT_EQ(cell(master, Tsp::Quit{}),
              "Follow(3); Stop(SyncTimer); Stop(AnnounceTimer); Set(ElectionTimer, 2s); -> slave");
    EXPECT_EQ(cell(master, Tsp::Masterup{}),
              "Set(ConflictTimer, 12ms); Send(3, Quit); -> conflict");
    EXPECT_EQ(cell(master, Tsp::Slaveup{}), "-> master");
    EXPECT_EQ(cell(master, Tsp::Accept{}), "-> master");
    EXPECT_EQ(cell(master, Suspect{Id{4}}), "-> master");
}

TEST(Tempo, a_master_in_conflict_dismisses_its_rivals_and_calls_their_slaves) {
    EXPECT_EQ(cell(conflict, Tsp::Masterack{}),
              "Set(ConflictTimer, 12ms); Send(3, Quit); -> conflict");
    EXPECT_EQ(cell(conflict, D::ConflictTimer{}), "Broadcast(Masterup); -> master");
    EXPECT_EQ(cell(conflict, Tsp::Quit{}),
              "Follow(3); Stop(SyncTimer); Stop(AnnounceTimer); Set(ElectionTimer, 2s); "
              "Stop(ConflictTimer); -> slave");
    EXPECT_EQ(cell(conflict, Tsp::Masterup{}),
              "Set(ConflictTimer, 12ms); Send(3, Quit); -> conflict");
}

TEST(Tempo, a_master_in_conflict_is_still_a_master) {
    EXPECT_EQ(cell(conflict, D::SyncTimer{}),
              "Set(SyncTimer, 1s); Send(1, Sync); Send(4, Sync); -> conflict");
    EXPECT_EQ(cell(conflict, Tsp::Masterreq{}), "Send(3, Masterack); -> conflict");
    EXPECT_EQ(cell(conflict, Tsp::Resolve{}), "Send(3, Masterack); -> conflict");
    EXPECT_EQ(cell(conflict, Tsp::Election{}), "Send(3, Quit); -> conflict");
    EXPECT_EQ(cell(conflict, Tsp::Slaveup{}), "-> conflict");
    EXPECT_EQ(cell(conflict, Suspect{Id{4}}), "-> conflict");
}

// ---------------------------------------------------------------- the list

template <class Event>
std::string list_after(State in, const Event& event) {
    Daemon daemon(in);
    daemon.upon(event);
    return text(daemon.node.list);
}

TEST(Tempo, the_list_gains_who_accepts_who_reports_and_who_was_overlooked) {
    for (const State in : {candidate, master}) EXPECT_EQ(list_after(in, Tsp::Accept{}), "[1 3 4]");
    for (const State in : {master, conflict}) {
        EXPECT_EQ(list_after(in, Tsp::Slaveup{}), "[1 3 4]");
        EXPECT_EQ(list_after(in, Tsp::Election{}), "[1 3 4]");
    }
}

TEST(Tempo, the_list_loses_who_does_not_acknowledge) {
    for (const State in : {master, conflict}) EXPECT_EQ(list_after(in, Suspect{Id{4}}), "[1]");
}

TEST(Tempo, the_list_outlives_the_election_and_ends_with_the_office) {
    EXPECT_EQ(list_after(candidate, D::CandidateTimer{}), "[1 4]");
    EXPECT_EQ(list_after(conflict, D::ConflictTimer{}), "[1 4]");
    EXPECT_EQ(list_after(candidate, Tsp::Refuse{}), "[]");
    EXPECT_EQ(list_after(candidate, Tsp::Quit{}), "[]");
    for (const State in : {master, conflict}) EXPECT_EQ(list_after(in, Tsp::Quit{}), "[]");
}

// ---------------------------------------------------------------- the election timer

TEST(Tempo, the_election_timer_is_drawn_at_start_up_between_r_and_r_plus_R) {
    for (const std::uint64_t drawn : {0ull, 1'000'000ull, 2'250'000'000ull}) {
        Daemon daemon(startup);
        daemon.chosen = drawn;
        daemon.upon(Start{});
        EXPECT_EQ(daemon.node.patience, 1500ms + Duration(drawn));
    }
}

TEST(Tempo, start_up_timers_may_differ_by_startup_range) {
    Daemon daemon(startup);
    daemon.chosen = 100'000'000;
    EXPECT_EQ(daemon.upon(Start{}), "Set(StartupTimer, 125ms); Broadcast(Masterreq); -> startup");
    daemon.settings.startup_range = 0ns;
    EXPECT_EQ(daemon.upon(Start{}), "Set(StartupTimer, 25ms); Broadcast(Masterreq); -> startup");
}

TEST(Tempo, the_election_timer_keeps_its_value_until_a_collision) {
    Daemon daemon(slave);
    daemon.chosen = 7'000'000;
    daemon.upon(Tsp::Sync{});
    daemon.upon(Tsp::Election{});
    daemon.upon(Tsp::Masterup{});
    EXPECT_EQ(daemon.node.patience, 2s);
}

TEST(Tempo, fresh_draws_the_election_timer_whenever_it_is_set) {
    Daemon daemon(slave);
    daemon.settings.fresh = true;
    daemon.chosen = 7'000'000;
    EXPECT_EQ(daemon.upon(Tsp::Sync{}), "Follow(3); Set(ElectionTimer, 1.507s); -> slave");
}

TEST(Tempo, every_collision_doubles_the_range_until_an_adjustment_comes) {
    Daemon daemon(candidate);
    daemon.chosen = 2'250'000'000ull * 1024;  // the most of the widest range; modulo the others
    Duration range = 2250ms;
    for (int collision = 1; collision <= 12; ++collision) {
        daemon.node.state = candidate;
        daemon.upon(Tsp::Refuse{});
        if (collision <= 10) range *= 2;
        const auto choices = static_cast<std::uint64_t>(range.count()) + 1;
        EXPECT_EQ(daemon.node.patience, 1500ms + Duration(daemon.chosen % choices));
    }
    EXPECT_EQ(daemon.node.patience, 1500ms + 1024 * 2250ms);
    EXPECT_EQ(daemon.node.collisions, 10) << "as often as in the Ethernet";
    daemon.upon(Tsp::Sync{});
    EXPECT_EQ(daemon.node.collisions, 0);
}

// ---------------------------------------------------------------- options

TEST(Tempo, announcing_is_an_option) {
    Daemon daemon(master);
    daemon.settings.announce = 4s;
    EXPECT_EQ(daemon.upon(D::AnnounceTimer{}),
              "Set(AnnounceTimer, 4s); Broadcast(Masterup); -> master");
    Daemon winner(candidate);
    winner.settings.announce = 4s;
    EXPECT_EQ(winner.upon(D::CandidateTimer{}),
              "Follow(2); Stop(ElectionTimer); Set(SyncTimer, 1s); Set(AnnounceTimer, 4s); "
              "Broadcast(Masterup); -> master");
}

TEST(Tempo, naming_a_deputy_is_an_option) {
    Daemon daemon(master);
    daemon.settings.deputy = true;
    EXPECT_EQ(daemon.upon(D::SyncTimer{}),
              "Set(SyncTimer, 1s); Send(1, Deputy); Send(4, Sync); -> master");
}

TEST(Tempo, a_deputy_waits_for_r_only_and_no_longer_than_its_master_is_trusted) {
    for (const State in : {slave, accept}) {
        Daemon daemon(in);
        EXPECT_EQ(daemon.upon(Tsp::Deputy{}, 1),
                  "Follow(1); Set(ElectionTimer, 1.5s); -> " + std::string(name_of(in)));
    }
    Daemon daemon(slave);
    daemon.upon(Tsp::Deputy{}, 1);
    EXPECT_EQ(daemon.upon(Suspect{Id{4}}), "-> slave");
    EXPECT_EQ(daemon.upon(Suspect{Id{1}}),
              "Follow(0); Stop(ElectionTimer); Set(CandidateTimer, 12ms); Broadcast(Election); "
              "-> candidate");
    EXPECT_EQ(cell(slave, Suspect{Id{1}}), "-> slave") << "it is no deputy";
}

TEST(Tempo, a_deputy_is_one_until_it_is_adjusted_as_a_slave_or_follows_another) {
    Daemon daemon(slave);
    daemon.upon(Tsp::Deputy{}, 1);
    EXPECT_EQ(daemon.upon(Tsp::Sync{}, 1), "Follow(1); Set(ElectionTimer, 2s); -> slave");
    daemon.upon(Tsp::Deputy{}, 1);
    EXPECT_EQ(daemon.upon(Tsp::Masterup{}, 3),
              "Follow(3); Set(ElectionTimer, 2s); Send(3, Slaveup); -> slave");
}

TEST(Tempo, of_two_ranked_masters_in_conflict_the_lesser_quits) {
    Daemon daemon(conflict);
    daemon.settings.ranked = true;
    EXPECT_EQ(daemon.upon(Tsp::Resolve{}, 1), "-> conflict");
    EXPECT_EQ(daemon.upon(Tsp::Quit{}, 1), "-> conflict");
    EXPECT_EQ(daemon.upon(Tsp::Resolve{}, 3), "Send(3, Masterack); -> conflict");
    EXPECT_TRUE(daemon.upon(Tsp::Quit{}, 3).ends_with("-> slave"));
}

// ---------------------------------------------------------------- the table as a whole

TEST(Tempo, ignores_what_no_row_names) {
    const auto& rows = TimeDaemon::rows();
    std::size_t blank = 0;
    TimeDaemon::Events::for_each([&]<class Event>() {
        for (std::size_t i = 0; i < 8; ++i) {
            const auto in = static_cast<State>(i);
            if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
                    return row.in == in && row.upon == tempo::upon<Event>;
                }))
                continue;
            ++blank;
            EXPECT_EQ(cell(in, Event{}), "-> " + std::string(name_of(in))) << type_name<Event>();
        }
    });
    for (const State in : {startup, no_master, consistency, candidate, accept})
        EXPECT_EQ(cell(in, Suspect{Id{1}}), "-> " + std::string(name_of(in)));
    EXPECT_EQ(rows.size(), 58u);
    EXPECT_EQ(blank, 8 * TimeDaemon::Events::count - (58 - 3 - 2));
    // 58 rows: three are upon Suspect, and two cells have two of them.
}

TEST(Tempo, an_invariant_says_who_follows_whom) {
    Actor<TimeDaemon> actor(2, 3);
    actor.node.state = master;
    actor.after(Tsp::Sync{}, 1);
    EXPECT_EQ(actor.broken, "the master, and nobody else, follows itself");
    actor.node.leader = Id{2};
    actor.after(Tsp::Sync{}, 1);
    EXPECT_EQ(actor.broken, "");
    actor.node.list.insert(Id{2});
    actor.after(Tsp::Sync{}, 1);
    EXPECT_EQ(actor.broken, "a master is not on its own list");
}

TEST(Tempo, acknowledges_whatever_its_state_is) {
    for (std::size_t i = 0; i < 8; ++i) {
        Actor<Tempo> actor(2, 3);
        actor.node.algorithm.state = static_cast<State>(i);
        const Lines lines = actor.after(Numbered<Tsp::Refuse>{7, {}}, 3);
        EXPECT_EQ(std::count(lines.begin(), lines.end(), "Send(3, Ack#7)"), 1);
    }
}

TEST(Tempo, prints_its_own_table) {
    EXPECT_NE(to_dot(TimeDaemon::rows()).find("slave -> candidate [label=\"ElectionTimer\"]"),
              std::string::npos);
    EXPECT_EQ(&Tempo::rows(), &TimeDaemon::rows());
}

}  // namespace tempo_test
}  // namespace conclave
