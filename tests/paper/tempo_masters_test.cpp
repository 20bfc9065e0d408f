// Gusella & Zatti 1985, sections 5.3 and 6.1: coming up, two masters after a partition, slaves that
// were overlooked; and what later practice added.
#include <gtest/gtest.h>

#include "conclave/claims/tempo/tempo_scenes.hpp"

namespace conclave::claims::tempo {
namespace tempo_masters_test {

using enum TimeDaemon::State;
using Counts = std::map<std::string, std::uint64_t>;

// ---------------------------------------------------------------- coming up

TEST(TempoStartUp, who_is_alone_becomes_the_master_after_both_timers) {
    TempoStage stage(settled(1));
    stage.run_until(24ms);
    EXPECT_EQ(stage.state(1), startup);
    stage.run_until(49ms);
    EXPECT_EQ(stage.state(1), no_master);
    stage.run_until(50ms);
    EXPECT_EQ(stage.state(1), master);
    const Outcome outcome = stage.look();
    EXPECT_EQ(outcome.messages, 2u) << "Masterreq and Masterup";
    EXPECT_EQ(outcome.broadcasts, 2u);
}

TEST(TempoStartUp, a_newcomer_is_told_who_the_master_is_and_joins_without_an_election) {
    Scenario scenario = settled(4);
    scenario.starts[2].at = 3s;
    TempoStage stage(scenario);
    stage.run_until(2999ms);
    const Outcome before = stage.look();
    stage.run_until(3030ms);
    EXPECT_EQ(sent_between(before, stage.look()),
              (Counts{{"Masterreq", 1}, {"Masterack", 1}, {"Slaveup", 1}, {"Ack", 1}}));
    EXPECT_EQ(stage.state(4), slave);
    EXPECT_EQ(stage.leader(4), Id{1});
    EXPECT_EQ(text(stage.daemon(1).list), "[2 3 4]");
}

// 6.1 "first, if it receives a Masterreq from a newly started time daemon"
TEST(TempoStartUp, in_no_master_it_yields_to_a_newcomer) {
    Scenario scenario = settled(2);
    scenario.starts = {{Id{2}, 30ms}};
    TempoStage stage(scenario);
    stage.run_until(31ms);
    EXPECT_EQ(stage.state(1), slave);
    stage.run_until(100ms);
    EXPECT_EQ(text(stage.masters()), "[2]");
    EXPECT_EQ(stage.leader(1), Id{2});
}

// "second, if it receives an Election message from a slave": 1 is gone, 3 comes up as 2 stands.
TEST(TempoStartUp, in_no_master_it_yields_to_a_candidate) {
    Scenario scenario = settled(3);
    scenario.crashes = {{Id{1}, crash_time}};
    scenario.starts[1].at = 3000ms;
    scenario.calls = {{Id{2}, 3030ms}};
    TempoStage stage(scenario);
    stage.run_until(3030ms);
    EXPECT_EQ(stage.state(3), no_master);
    stage.run_until(3031ms);
    EXPECT_EQ(stage.state(3), slave);
    stage.run_until(3100ms);
    EXPECT_EQ(text(stage.masters()), "[2]");
    EXPECT_EQ(text(stage.daemon(2).list), "[3]");
}

// "third, if it receives a Masterup message": two that start 2 ms apart.
TEST(TempoStartUp, in_no_master_it_yields_to_a_new_master) {
    Scenario scenario = settled(2);
    scenario.starts = {{Id{2}, 2ms}};
    TempoStage stage(scenario);
    stage.run_until(100ms);
    EXPECT_EQ(text(stage.masters()), "[1]");
    EXPECT_EQ(text(stage.daemon(1).list), "[2]");
    EXPECT_EQ(stage.leader(2), Id{1});
}

TEST(TempoStartUp, with_equal_timers_two_that_start_within_a_delay_are_both_master_for_a_moment) {
    Scenario scenario = settled(2);
    scenario.starts = {{Id{2}, 500us}};
    scenario.checks.one_leader = true;
    TempoStage stage(scenario);
    stage.run_until(51ms);
    EXPECT_EQ(stage.masters().size(), 2u);
    stage.run_until(60ms);
    EXPECT_EQ(stage.masters().size(), 0u) << "each made the other quit";
    stage.run_until(10s);
    EXPECT_EQ(stage.masters().size(), 1u);
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

TEST(TempoStartUp, a_master_that_comes_up_again_is_a_newcomer) {
    Scenario scenario = settled(4);
    scenario.crashes = {{Id{1}, crash_time}};
    scenario.recoveries = {{Id{1}, 8s}};
    TempoStage stage(scenario);
    stage.run_until(9s);
    const IdSet masters = stage.masters();
    EXPECT_EQ(masters.size(), 1u);
    EXPECT_FALSE(masters.contains(Id{1}));
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

// ---------------------------------------------------------------- two masters

TEST(TempoTwoMasters, each_part_of_a_partition_has_its_own) {
    TempoStage stage(healed());
    stage.run_until(9s);
    ASSERT_EQ(stage.masters().size(), 2u);
    EXPECT_EQ(stage.state(1), master);
    EXPECT_EQ(text(stage.daemon(1).list), "[2 3]") << "who does not acknowledge is struck off";
    EXPECT_EQ(stage.look().end, Outcome::End::split);
}

// "This anomalous situation is stable"
TEST(TempoTwoMasters, stay_when_the_partition_is_healed) {
    TempoStage stage(healed());
    stage.run_until(10min);
    EXPECT_EQ(stage.masters().size(), 2u);
}

TEST(TempoTwoMasters, are_detected_by_a_newcomer_and_the_first_to_answer_stays) {
    TempoStage stage(healed(1));
    stage.run_until(15s - 1ns);
    const IdSet both = stage.masters();
    const Outcome before = stage.look();
    stage.run_until(15s + 100ms);
    const auto sent = sent_between(before, stage.look());
    EXPECT_EQ(sent.at("Masterreq"), 1u);
    EXPECT_EQ(sent.at("Masterack"), 3u) << "two to the newcomer, one to the first master";
    EXPECT_EQ(sent.at("Conflict"), 1u);
    EXPECT_EQ(sent.at("Resolve"), 1u);
    EXPECT_EQ(sent.at("Quit"), 1u);
    EXPECT_EQ(sent.at("Masterup"), 1u);
    EXPECT_EQ(sent.at("Slaveup"), 1u + 6u) << "the newcomer once more, and all others";
    EXPECT_FALSE(sent.contains("Election"));
    ASSERT_EQ(stage.masters().size(), 1u);
    const auto winner = static_cast<std::uint32_t>(stage.masters().ids[0]);
    EXPECT_TRUE(both.contains(Id{winner}));
    EXPECT_EQ(stage.daemon(winner).list.size(), 6u) << "all the slaves of both";
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

// Three parts, three masters: "looks for one, or possibly more, rival masters to kill".
TEST(TempoTwoMasters, three_of_them_are_resolved_by_one_conflict) {
    Scenario scenario = healed(1);
    scenario.partitions = {{{{Id{4}}, {Id{5}, Id{6}}}, {2500ms, 10s}}};
    TempoStage stage(scenario);
    stage.run_until(15s - 1ns);
    ASSERT_EQ(stage.masters().size(), 3u);
    stage.run_until(15s + 100ms);
    ASSERT_EQ(stage.masters().size(), 1u);
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

// Two newcomers, each nearer to another master: both masters are told to look for rivals.
Scenario crossed(std::uint32_t second_master) {
    Scenario scenario = healed(2);
    const simulator::Delay far{.low = 2ms};
    scenario.links = {{Id{second_master}, Id{7}, far}, {Id{1}, Id{8}, far}};
    return scenario;
}
std::uint32_t second_master() {
    TempoStage stage(healed(2));
    stage.run_until(14s);
    return static_cast<std::uint32_t>(stage.masters().ids.back());
}

TEST(TempoTwoMasters, both_quit_if_two_newcomers_report_to_different_ones) {
    TempoStage stage(crossed(second_master()));
    stage.run_until(15s - 1ns);
    ASSERT_EQ(stage.masters().size(), 2u);
    stage.run_until(15s + 100ms);
    EXPECT_EQ(stage.masters().size(), 0u);
    stage.run_until(25s);
    EXPECT_EQ(stage.masters().size(), 1u) << "an election timer ended it";
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

TEST(TempoTwoMasters, one_stays_all_the_same_if_masters_are_ranked) {
    const std::uint32_t second = second_master();
    TempoStage stage(with(crossed(second), "ranked", "on"));
    stage.run_until(15s + 100ms);
    EXPECT_EQ(stage.masters().ids, std::vector<Id>{Id{second}});
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

TEST(TempoTwoMasters, need_no_newcomer_if_masters_announce_themselves) {
    TempoStage stage(with(healed(), "announce", "3s"));
    stage.run_until(9s);
    EXPECT_EQ(stage.masters().size(), 2u);
    stage.run_until(13s + 100ms);
    EXPECT_EQ(stage.masters().size(), 1u);
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

// Section 3 excludes it: "A processor never pauses and resumes working later."
Scenario paused(bool deaf) {
    Scenario scenario = settled(3);
    scenario.pauses = {{Id{1}, {200ms, 400ms}}};
    scenario.calls = {{Id{2}, 300ms}};
    if (deaf) scenario.cuts = {{Id{2}, Id{1}, {200ms, 400ms}}, {Id{3}, Id{1}, {200ms, 400ms}}};
    return scenario;
}

TEST(TempoTwoMasters, a_master_that_paused_sends_the_elected_one_away_if_it_hears_of_it) {
    TempoStage stage(paused(false));
    stage.run_until(400ms);
    EXPECT_EQ(text(stage.masters()), "[1 2]");
    stage.run_until(500ms);
    EXPECT_EQ(text(stage.masters()), "[1]");
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

TEST(TempoTwoMasters, stay_if_the_master_that_paused_never_hears_of_the_other) {
    TempoStage stage(paused(true));
    stage.run_until(60s);
    EXPECT_EQ(text(stage.masters()), "[1 2]");
}

// ---------------------------------------------------------------- overlooked slaves, deputies

// "... the present master will immediately cut short the slave's attempt by sending it a Quit
// message, and adding its name to the list"
TEST(TempoOverlooked, a_slave_stands_is_told_to_quit_and_is_on_the_list_from_then_on) {
    Scenario scenario = settled(5);
    scenario.crashes = {{Id{1}, crash_time}};
    scenario.calls = {{Id{2}, 2100ms}};
    scenario.cuts = {{Id{2}, Id{5}, {2099ms, 2130ms}}};  // 5 misses Election and Masterup
    TempoStage stage(scenario);
    stage.run_until(2200ms);
    EXPECT_EQ(text(stage.daemon(2).list), "[3 4]");
    EXPECT_EQ(stage.leader(5), Id{1});
    const Outcome before = stage.look();
    stage.run_until(crash_time + stage.daemon(5).patience + 10ms);
    const auto sent = sent_between(before, stage.look());
    EXPECT_EQ(sent.at("Election"), 1u);
    EXPECT_EQ(sent.at("Quit"), 1u);
    EXPECT_EQ(text(stage.masters()), "[2]");
    EXPECT_EQ(text(stage.daemon(2).list), "[3 4 5]");
    EXPECT_EQ(stage.leader(5), Id{2});
}

TEST(TempoDeputy, stands_first_when_the_master_crashes) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Scenario scenario = settled(5, seed);
        scenario.crashes = {{Id{1}, crash_time}};
        TempoStage stage(with(scenario, "deputy", "on"));
        stage.run_until(2051ms + 1500ms);
        EXPECT_EQ(stage.state(2), candidate) << "at r after the last adjustment";
        stage.run_until(4s);
        EXPECT_EQ(text(stage.masters()), "[2]") << "seed " << seed;
    }
}

TEST(TempoDeputy, stands_at_once_when_a_detector_suspects_the_master) {
    Scenario scenario = settled(5);
    scenario.crashes = {{Id{1}, crash_time}};
    scenario.detector.on = true;
    TempoStage stage(with(scenario, "deputy", "on"));
    stage.run_until(crash_time + 20ms);
    EXPECT_EQ(text(stage.masters()), "[2]");
    EXPECT_EQ(stage.look().end, Outcome::End::agreed);
}

}  // namespace tempo_masters_test
}  // namespace conclave::claims::tempo
