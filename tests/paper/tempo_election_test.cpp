// Gusella & Zatti 1985, sections 5.1 and 5.2: elections after the master's crash, with one
// candidate and with two.
#include <gtest/gtest.h>

#include "conclave/claims/tempo/tempo_scenes.hpp"

namespace conclave::claims::tempo {
namespace tempo_election_test {

using enum TimeDaemon::State;
using Counts = std::map<std::string, std::uint64_t>;

// 5.1 "Normally the master time daemon periodically synchronizes the clocks of all controlled
// machines."
TEST(TempoNormalCase, the_master_adjusts_every_slave_once_an_interval_and_there_is_no_election) {
    TempoStage stage(settled(5));
    stage.run_until(1s);
    const Outcome before = stage.look();
    stage.run_until(11s);
    EXPECT_EQ(sent_between(before, stage.look()), (Counts{{"Sync", 40}, {"Ack", 40}}));
    EXPECT_EQ(text(stage.masters()), "[1]");
}

// "... whose timer expires first to automatically become a candidate for master"
TEST(TempoNormalCase, the_slave_with_the_shortest_timer_becomes_the_master) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        TempoStage stage(bereft(6, seed));
        stage.run_until(crash_time);
        Id first{2};
        for (std::uint32_t id = 3; id <= 6; ++id)
            if (stage.daemon(id).patience <
                stage.daemon(static_cast<std::uint32_t>(first)).patience)
                first = Id{id};
        stage.run_to_master(crash_time, 10s, 5ms);
        EXPECT_EQ(stage.masters().ids, std::vector<Id>{first}) << "seed " << seed;
    }
}

// Section 7, 1: 1 Election, N-1 Accept, N-1 acknowledgements, 1 Masterup, N-1 Slaveup = 3N-1.
TEST(TempoNormalCase, an_election_among_n_machines_takes_3n_minus_1_messages) {
    for (const std::uint32_t n : {2u, 3u, 5u, 20u}) {
        TempoStage stage(bereft(n + 1));
        stage.run_until(crash_time);
        const Outcome before = stage.look();
        stage.run_to_master(crash_time, 10s, 5ms);
        const Outcome after = stage.look();
        EXPECT_EQ(sent_between(before, after), (Counts{{"Election", 1},
                                                       {"Accept", n - 1},
                                                       {"Ack", n - 1},
                                                       {"Masterup", 1},
                                                       {"Slaveup", n - 1}}));
        EXPECT_EQ(after.messages - before.messages, 3 * n - 1);
        EXPECT_EQ(after.end, Outcome::End::agreed);
    }
}

// "... the candidate becomes master after a predetermined period of time following the receipt of
// the last Accept message": 3 stands at 2.1 s, the last Accept comes 9 ms later.
TEST(TempoNormalCase, the_candidate_waits_after_the_last_accept) {
    Scenario scenario = bereft(4);
    scenario.calls = {{Id{3}, 2100ms}};
    scenario.links = {{Id{4}, Id{3}, {.low = 8ms}}};
    TempoStage stage(scenario);
    stage.run_until(2120ms);
    EXPECT_EQ(stage.state(3), candidate);
    stage.run_until(2121ms);
    EXPECT_EQ(stage.state(3), master);
}

// "... enable the master to obtain the names of all slaves": 4 misses the Election, not Masterup.
TEST(TempoNormalCase, masterup_finds_who_missed_the_election) {
    Scenario scenario = bereft(4);
    scenario.calls = {{Id{3}, 2100ms}};
    scenario.cuts = {{Id{3}, Id{4}, {2100ms, 2105ms}}};
    TempoStage stage(scenario);
    stage.run_until(2110ms);
    EXPECT_EQ(text(stage.daemon(3).list), "[2]");
    stage.run_until(2130ms);
    EXPECT_EQ(text(stage.daemon(3).list), "[2 4]");
    EXPECT_EQ(stage.leader(4), Id{3});
}

// 1: "Withstand machine failures that occur during the election."
TEST(TempoNormalCase, a_candidate_that_crashes_is_replaced) {
    Scenario scenario = bereft(5);
    scenario.calls = {{Id{3}, 2100ms}};
    scenario.crashes.push_back({Id{3}, 2106ms});
    TempoStage stage(scenario);
    stage.run_until(2107ms);
    EXPECT_TRUE(stage.masters().empty());
    stage.run_to_master(2107ms, 10s, 50ms);
    EXPECT_EQ(stage.masters().size(), 1u);
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

// Section 7, 2: two Election, N-2 Accept and N-2 Refuse, all acknowledged, and the candidates
// refuse each other: 4N-2. "The election is not successful and must be repeated."
TEST(TempoTwoCandidates, an_election_with_two_candidates_takes_4n_minus_2_messages_in_vain) {
    for (const std::uint32_t n : {2u, 3u, 5u, 20u}) {
        Scenario scenario = bereft(n + 1);
        scenario.calls = {{Id{2}, 2100ms}, {Id{3}, 2100ms}};
        TempoStage stage(scenario);
        stage.run_until(2099ms);
        const Outcome before = stage.look();
        stage.run_until(2200ms);
        const Outcome after = stage.look();
        Counts expected{{"Election", 2}, {"Refuse", n}, {"Ack", 2 * n - 2}};
        if (n > 2) expected["Accept"] = n - 2;
        EXPECT_EQ(sent_between(before, after), expected);
        EXPECT_EQ(after.messages - before.messages, 4 * n - 2);
        EXPECT_TRUE(stage.masters().empty());
        EXPECT_EQ(stage.state(2), slave);
        EXPECT_EQ(stage.state(3), slave);
    }
}

// "They also reselect their election timer values using an exponential backoff mechanism"
TEST(TempoTwoCandidates, both_back_off_and_a_later_round_elects_one) {
    Scenario scenario = bereft(3);  // the degenerate case: only two are left
    scenario.calls = {{Id{2}, 2100ms}, {Id{3}, 2100ms}};
    TempoStage stage(scenario);
    stage.run_until(2099ms);
    const Duration before = stage.daemon(2).patience;
    stage.run_until(2150ms);
    EXPECT_EQ(stage.daemon(2).collisions, 1);
    EXPECT_EQ(stage.daemon(3).collisions, 1);
    EXPECT_NE(stage.daemon(2).patience, before);
    EXPECT_EQ(stage.daemon(4 - 1).patience >= 1500ms, true);
    stage.run_to_master(2150ms, 20s, 1500ms);
    EXPECT_EQ(stage.masters().size(), 1u);
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
    EXPECT_EQ(
        stage.daemon(2).collisions + stage.daemon(3).collisions,
        stage.daemon(2).state == master ? stage.daemon(2).collisions : stage.daemon(3).collisions)
        << "an adjustment ends the backing off";
}

// With unequal delays a candidate may be refused before it hears of its rival, which then wins.
TEST(TempoTwoCandidates, one_wins_if_the_other_withdraws_before_it_could_refuse) {
    Scenario scenario = bereft(4);
    scenario.calls = {{Id{2}, 2100ms}, {Id{3}, 2100ms + 500us}};
    scenario.links = {{Id{3}, Id{2}, {.low = 5ms}},   // 3 hears from 4 that it is refused
                      {Id{2}, Id{3}, {.low = 5ms}}};  // before it hears of 2
    TempoStage stage(scenario);
    stage.run_until(2200ms);
    EXPECT_EQ(text(stage.masters()), "[2]");
    EXPECT_EQ(stage.daemon(3).collisions, 1);
}

// The last scenario of 5.2: "... leaving the first candidate free to complete the election".
TEST(TempoTwoCandidates, a_candidate_that_missed_the_first_election_is_refused_by_all) {
    Scenario scenario = bereft(6);
    scenario.calls = {{Id{2}, 2100ms}, {Id{6}, 2105ms}};
    scenario.cuts = {{Id{2}, Id{6}, {2099ms, 2101ms}}};
    TempoStage stage(scenario);
    stage.run_until(2099ms);
    const Outcome before = stage.look();
    stage.run_until(2150ms);
    const auto sent = sent_between(before, stage.look());
    EXPECT_EQ(sent.at("Election"), 2u);
    EXPECT_EQ(sent.at("Refuse"), 4u) << "the first candidate and the three others";
    EXPECT_EQ(text(stage.masters()), "[2]");
    EXPECT_EQ(text(stage.daemon(2).list), "[3 4 5 6]") << "Masterup made up for it";
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

// 5.2: where the order of broadcasts is arbitrary, "it is possible that all candidates might
// receive Refuse messages".
TEST(TempoTwoCandidates, elect_one_in_the_end_where_each_receiver_hears_them_in_another_order) {
    int refused = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Scenario scenario = bereft(7, seed);
        scenario.delay = {simulator::Delay::Shape::uniform, 100us, 4ms};
        scenario.calls = {{Id{2}, 2100ms}, {Id{3}, 2100ms}};
        TempoStage stage(scenario);
        stage.run_until(2150ms);
        refused += stage.masters().empty();
        stage.run_until(40s);
        EXPECT_EQ(stage.masters().size(), 1u) << "seed " << seed;
        EXPECT_EQ(stage.look().end, Outcome::End::agreed) << "seed " << seed;
    }
    EXPECT_GT(refused, 0);
    EXPECT_LT(refused, 100);
}

// Footnote 4: a duplicate of the accepted Election is no second candidate.
TEST(TempoTwoCandidates, a_duplicated_election_is_no_second_candidate) {
    Scenario scenario = bereft(5);
    scenario.calls = {{Id{3}, 2100ms}};
    scenario.duplication.of_2_32 = std::uint64_t{1} << 32;
    TempoStage stage(scenario);
    stage.run_until(2150ms);
    EXPECT_EQ(text(stage.masters()), "[3]");
    EXPECT_EQ(stage.daemon(3).collisions, 0);
}

}  // namespace tempo_election_test
}  // namespace conclave::claims::tempo
