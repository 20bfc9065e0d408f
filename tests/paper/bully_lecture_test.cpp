// What the lectures say of the bully algorithm, sentence by sentence.
// [CS425] is the lecture of Feb 22 2023, [9] is "Lecture 9: Coordinator Election".
#include <gtest/gtest.h>

#include "conclave/election/bully.hpp"
#include "conclave/simulator/simulation_hosting.hpp"
#include "tests/paper/lecture_storms.hpp"

namespace conclave::simulator {
namespace bully_lecture_test {

using namespace std::chrono_literals;

std::uint64_t count_of(const Outcome& outcome, std::string_view type) {
    for (const auto& [name, count] : outcome.by_type)
        if (name == type) return count;
    return 0;
}

// N processes of which the highest is dead; `caller` notices it.
Scenario dead_leader(std::uint32_t nodes, std::uint32_t caller) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.crashes = {{Id{nodes}, Time{0}}};
    scenario.initiators = {Initiators::Who::listed, {Id{caller}}};
    return scenario;
}

// [CS425] "Second-highest id detects leader failure. Sends (N-2) Coordinator messages. Turnaround
// time: 1 message transmission time (T)".
TEST(BullyLecture, best_case_takes_n_minus_2_messages_and_one_delay) {
    for (const std::uint32_t n : {3u, 5u, 20u, 100u}) {
        const Outcome outcome = simulate<Bully>(dead_leader(n, n - 1));
        EXPECT_EQ(outcome.leader, Id{n - 1});
        EXPECT_EQ(outcome.messages, n - 2);
        EXPECT_EQ(count_of(outcome, "Coordinator"), n - 2);
        EXPECT_EQ(outcome.turnaround, 1ms);
        EXPECT_TRUE(outcome.violations.empty());
    }
}

// [CS425] "else it initiates an election by sending an Election message": who does not know that it
// is the highest spends one message and two delays more.
TEST(BullyLecture, not_knowing_costs_one_message_and_two_delays) {
    Scenario scenario = dead_leader(5, 4);
    scenario.detector.on = true;
    scenario.detector.missed = {std::uint64_t{1} << 32};  // a detector that never tells
    const Outcome outcome = simulate<Bully>(scenario);
    EXPECT_EQ(count_of(outcome, "Election"), 1u);
    EXPECT_EQ(outcome.messages, 4u);
    EXPECT_EQ(outcome.turnaround, 3ms);
    EXPECT_EQ(outcome.leader, Id{4});
}

// [CS425] "When the process with the lowest id in the system detects failure: (N-1) processes
// altogether begin elections ... = (N-1)*N/2"; "Turnaround time: 4 message transmission times".
TEST(BullyLecture, worst_case_is_quadratic_and_takes_four_delays) {
    for (const std::uint32_t n : {3u, 5u, 20u, 100u}) {
        const Outcome outcome = simulate<Bully>(dead_leader(n, 1));
        EXPECT_EQ(outcome.leader, Id{n - 1});
        EXPECT_EQ(count_of(outcome, "Election"), n * (n - 1) / 2);
        EXPECT_EQ(count_of(outcome, "Disagree"), (n - 1) * (n - 2) / 2);
        EXPECT_EQ(count_of(outcome, "Coordinator"), n - 2);
        EXPECT_EQ(outcome.messages, n * (n - 1) / 2 + (n - 1) * (n - 2) / 2 + n - 2);
        EXPECT_EQ(outcome.turnaround, 4ms);
    }
}

// [CS425] "The result of an election should not depend on which process calls for it."
TEST(BullyLecture, any_caller_gets_the_same_leader) {
    for (std::uint32_t caller = 1; caller < 7; ++caller)
        EXPECT_EQ(simulate<Bully>(dead_leader(7, caller)).leader, Id{6}) << caller;
    Scenario all = dead_leader(7, 1);
    all.initiators = {Initiators::Who::all, {}};
    EXPECT_EQ(simulate<Bully>(all).leader, Id{6});
}

// [CS425] "What if P4 fails after step 3?": it has answered, but tells nobody that it leads.
TEST(BullyLecture, a_winner_that_fails_after_its_answer_is_replaced_by_the_next) {
    Scenario scenario = dead_leader(5, 2);
    scenario.crashes.push_back({Id{4}, 2500us});
    const Outcome outcome = simulate<Bully>(scenario);
    EXPECT_EQ(outcome.leader, Id{3});
    EXPECT_TRUE(outcome.violations.empty());
}

// [CS425] "What if P4 fails after step 4?": some have its Coordinator message, some have not. Those
// who wait call again after the second timeout, and who followed the dead follows the next.
TEST(BullyLecture, a_winner_that_fails_while_it_announces_is_replaced_by_the_next) {
    Scenario scenario = dead_leader(5, 2);
    scenario.crashes.push_back({Id{4}, 3500us});
    scenario.cuts = {{Id{4}, Id{3}, {3ms, 10ms}}};  // its message to 3 never left
    trace::Trace trace;
    const Outcome outcome = simulate<Bully>(scenario, {.trace = &trace});
    EXPECT_EQ(outcome.leader, Id{3});
    EXPECT_TRUE(outcome.violations.empty());
    const auto followed_the_dead = [](const trace::Record& r) {
        return r.kind == trace::Kind::follow && r.node == Id{1} && r.other == Id{4};
    };
    EXPECT_TRUE(std::any_of(trace.records.begin(), trace.records.end(), followed_the_dead));
}

// [CS425] "If it is too small, a lower id process can declare itself to be the coordinator even
// when a higher id process is alive."
TEST(BullyLecture, a_first_timeout_that_is_too_short_gives_two_leaders) {
    Scenario scenario;
    scenario.initiators = {Initiators::Who::listed, {Id{4}}};
    EXPECT_TRUE(simulate<Bully>(scenario).violations.empty());
    scenario.settings = {{"timeout", "1.9ms"}};
    const Outcome outcome = simulate<Bully>(scenario);
    ASSERT_FALSE(outcome.violations.empty());
    EXPECT_EQ(outcome.violations[0].property, "one leader");
}

// [CS425] "A very small value will lead to extra Election messages" (of the second timeout).
TEST(BullyLecture, a_second_timeout_that_is_too_short_only_costs_messages) {
    Scenario scenario = dead_leader(6, 1);
    const Outcome enough = simulate<Bully>(scenario);
    scenario.settings = {{"patience", "500us"}};
    const Outcome hasty = simulate<Bully>(scenario);
    EXPECT_GT(count_of(hasty, "Election"), count_of(enough, "Election"));
    EXPECT_EQ(hasty.leader, enough.leader);
    EXPECT_TRUE(hasty.violations.empty());
    scenario.settings = {{"patience", "2ms"}};  // what is left of four delays at the first answer
    EXPECT_EQ(simulate<Bully>(scenario).messages, enough.messages);
}

// [9] "In the event of a partitioning ... more than one coordinator can be elected."
TEST(BullyLecture, a_partition_gives_a_leader_to_each_part) {
    Scenario scenario;
    scenario.partitions = {{{{Id{1}, Id{2}}, {Id{3}, Id{4}, Id{5}}}, {0ms, never}}};
    scenario.initiators = {Initiators::Who::all, {}};
    scenario.scope = LeaderScope::overall;
    const Outcome outcome = simulate<Bully>(scenario);
    EXPECT_EQ(outcome.end, Outcome::End::split);
    EXPECT_EQ(outcome.believed.at(Id{2}), 2u);
    EXPECT_EQ(outcome.believed.at(Id{5}), 3u);
}

// [CS425] "If two processes have the same attribute, combine the attribute with the process id".
TEST(BullyLecture, best_attribute_wins_and_the_id_breaks_ties) {
    Scenario scenario;
    scenario.attributes = {{Id{2}, 30}, {Id{4}, 30}, {Id{5}, 7}};
    EXPECT_EQ(simulate<Bully>(scenario).leader, Id{4});
    scenario.crashes = {{Id{4}, Time{0}}};
    scenario.initiators = {Initiators::Who::listed, {Id{5}}};
    EXPECT_EQ(simulate<Bully>(scenario).leader, Id{2});
}

// [9] "After they answer, it sends them the new state of the coordinated task. Now everyone agrees
// about the coordinator and the state of the task."
TEST(BullyLecture, the_state_is_handed_to_everyone_with_two_messages_each) {
    for (const std::uint32_t n : {3u, 5u, 12u}) {
        Scenario scenario = dead_leader(n, n - 1);
        scenario.settings = {{"parts", "4"}, {"work", "1s"}};
        scenario.until = 10ms;
        scenario.checks.invariant = false;  // the work is not done by then
        const Outcome outcome = simulate<Bully>(scenario);
        EXPECT_EQ(count_of(outcome, "Report"), n - 2);
        EXPECT_EQ(count_of(outcome, "State"), n - 2);
        EXPECT_EQ(outcome.messages, n - 2 + 2 * (n - 2));
    }
}

TEST(BullyLecture, the_task_is_finished_by_all_though_the_leader_fails_in_between) {
    Scenario scenario;
    scenario.settings = {{"parts", "30"}};
    scenario.detector.on = true;
    scenario.crashes = {{Id{5}, 9ms}, {Id{2}, 10ms}};
    Decisions decisions(1);
    std::string problem;
    World<Bully> world(scenario, settings_of<Bully>(scenario, problem), decisions);
    const Outcome outcome = world.run();
    EXPECT_EQ(outcome.leader, Id{4});
    EXPECT_TRUE(outcome.violations.empty());
    for (const std::uint32_t id : {1u, 3u, 4u}) {
        EXPECT_TRUE(world.node(Id{id}).task.complete());
        EXPECT_EQ(world.node(Id{id}).task.total, 30u * 31u / 2);
    }
}

// [9] "If a new participant arrives, or recovers from a failure, it gets the state from the current
// coordinator and then calls an election."
TEST(BullyLecture, who_recovers_takes_the_state_before_it_calls) {
    Scenario scenario;
    scenario.nodes = 4;
    scenario.settings = {{"parts", "40"}};
    scenario.checks.one_leader = false;
    scenario.crashes = {{Id{4}, Time{0}}};
    scenario.recoveries = {{Id{4}, 12ms}};
    trace::Trace trace;
    const Outcome outcome = simulate<Bully>(scenario, {.trace = &trace});
    EXPECT_EQ(outcome.leader, Id{4});
    EXPECT_TRUE(outcome.violations.empty());
    Time asked = never, told = never, called = never;
    for (const trace::Record& r : trace.records) {
        if (r.node != Id{4} || r.time < 12ms) continue;
        if (r.kind == trace::Kind::send && r.text == "Ask") asked = std::min(asked, r.time);
        if (r.kind == trace::Kind::arrive && r.text.starts_with("State(")) {
            told = std::min(told, r.time);
            EXPECT_EQ(r.other, Id{3});
        }
        if (r.kind == trace::Kind::follow) called = std::min(called, r.time);
    }
    EXPECT_LT(asked, told);
    EXPECT_LT(told, called);
}

TEST(BullyLecture, who_arrives_late_joins_by_itself) {
    for (const std::uint32_t late : {1u, 3u, 5u}) {
        Scenario scenario;
        scenario.initiators = {Initiators::Who::listed, {Id{2}}};
        scenario.starts = {{Id{late}, 30ms}};
        scenario.checks.one_leader = false;
        const Outcome outcome = simulate<Bully>(scenario);
        EXPECT_EQ(outcome.leader, Id{5}) << late;
        EXPECT_TRUE(outcome.violations.empty()) << summarise(outcome);
    }
}

// A finding: the lecture lets who recovers call at once. An election that overlooked it may still
// be under way, and its winner be the last that somebody hears of.
TEST(BullyLecture, who_recovers_must_wait_for_an_election_that_overlooked_it) {
    Scenario scenario = dead_leader(3, 1);
    scenario.recoveries = {{Id{3}, 1200us}};
    scenario.checks.one_leader = false;
    const Delay fast{Delay::Shape::constant, 100us};
    scenario.links = {{Id{2}, Id{3}, fast}, {Id{3}, Id{1}, fast}, {Id{3}, Id{2}, fast}};
    EXPECT_EQ(simulate<Bully>(scenario).leader, Id{3});
    scenario.settings = {{"grace", "2ms"}};
    const Outcome outcome = simulate<Bully>(scenario);
    EXPECT_EQ(outcome.end, Outcome::End::split);
    EXPECT_EQ(outcome.believed.at(Id{2}), 1u);  // 1 follows 2, who follows 3
}

// [CS425] "In synchronous system model: ... Satisfies safety and liveness."
class BullyInTheStorm : public testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(BullyInTheStorm, elects_the_best_and_finishes_the_task) {
    const auto [recoveries, detector] = GetParam();
    each_seed(1, 1000, [&](std::uint64_t seed) { weather_bully(seed, recoveries, detector); });
}

INSTANTIATE_TEST_SUITE_P(Synchronous, BullyInTheStorm,
                         testing::Combine(testing::Bool(), testing::Bool()), [](const auto& run) {
                             return std::string(std::get<0>(run.param) ? "recoveries" : "crashes") +
                                    (std::get<1>(run.param) ? "_detected" : "_by_timeouts");
                         });

}  // namespace bully_lecture_test
}  // namespace conclave::simulator
