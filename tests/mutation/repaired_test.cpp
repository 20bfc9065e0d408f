// Faults of agents that were repaired, planted again: each is found by the checker, or by a storm
// of which the seed is known. docs/checking.md has them as a table; tests/member has those of
// formation, and those that break no promise are in one_fault_test.cpp and directed_test.cpp.
#include "tests/lease/searches.hpp"
#include "tests/lease/storms.hpp"

namespace conclave {
namespace repaired_test {

using checker::Query;
using lease::RepairedRule;
using lease::Rule;

Query crash_with(const std::string& disk_fault) {
    Query query = checker::one_after_the_other();
    std::swap(query.initiators, query.callers);
    query.budget.crashes = query.budget.recoveries = query.budget.process_faults = 1;
    query.faults_off = checker::all_faults_but(disk_fault, "disk-recovers");
    return query;
}

// The first property that this storm violates without the rule; with it, none is.
template <class AnyRule>
std::string violated_by(simulator::Scenario scenario, AnyRule rule, std::uint64_t seed) {
    scenario.seed = seed;
    const auto run = [&] {
        return simulator::find_engine(scenario.algorithm)->simulate(scenario, {}).violations;
    };
    EXPECT_TRUE(run().empty());
    scenario.mutation.rules_off = lease::bit(rule);
    const auto found = run();
    return found.empty() ? "" : found.front().property;
}

template <class AnyRule>
std::string violated_by(const std::string& algorithm, AnyRule rule, std::uint64_t seed) {
    return violated_by(simulator::stormy(algorithm), rule, seed);
}

TEST(RepairedFaults, a_folder_that_is_not_synchronised_lets_a_token_fall) {
    checker::expect_found(crash_with("folder-unsynced"), Rule::folder_synchronised, 11,
                          checker::token_falls);
}

TEST(RepairedFaults, a_lease_given_back_under_a_live_command_lets_two_act) {
    Query query = checker::lease_query();
    query.budget.calls = 1;
    checker::expect_found(query, Rule::release_after_work_is_gone, 5, checker::two_act);
    EXPECT_EQ(violated_by("tempo", Rule::release_after_work_is_gone, 1), "one leader");
}

TEST(RepairedFaults, a_turn_that_is_taken_back_leaves_everybody_without_a_leader) {
    EXPECT_EQ(violated_by("tempo", Rule::memory_never_behind_disk, 514), "progress");
}

TEST(RepairedFaults, a_former_tree_that_is_not_waited_for_lets_two_act) {
    Query query = checker::lease_query();
    query.budget.process_faults = 2;
    query.faults_off = checker::all_faults_but("agent-dies", "agent-returns", "guardian-dies");
    checker::expect_found(query, Rule::former_work_gone, 7, checker::two_act);
    EXPECT_EQ(violated_by("bully", Rule::former_work_gone, 526), "one leader");
}

TEST(RepairedFaults, a_witness_that_is_elected_keeps_everybody_from_leading) {
    simulator::Scenario scenario = simulator::stormy("tempo");
    scenario.settings.emplace_back("witnesses", "1");
    EXPECT_EQ(violated_by(scenario, Rule::witnesses_abstain, 13), "progress");
}

TEST(RepairedFaults, a_leader_that_forgot_that_it_led_is_followed_and_nobody_leads) {
    EXPECT_EQ(violated_by("bully", RepairedRule::forgotten_lease_disowned, 105), "progress");
    EXPECT_EQ(violated_by("tempo", RepairedRule::forgotten_lease_disowned, 495), "progress");
}

TEST(RepairedFaults, work_that_is_started_again_under_the_same_token_repeats_it) {
    EXPECT_EQ(violated_by("bully", RepairedRule::anew_under_greater_token, 1), "token");
}

// Elected, they cannot stand, and the others wait for them before they elect another.
TEST(RepairedFaults, a_member_that_cannot_stand_and_is_elected_keeps_everybody_waiting) {
    const auto idle = [](const std::string& algorithm, std::uint32_t nodes, std::uint64_t seed,
                         std::uint64_t rules_off) {
        simulator::Scenario scenario = simulator::stormy(algorithm, nodes);
        scenario.seed = seed;
        scenario.mutation.rules_off = rules_off;
        return simulator::find_engine(scenario.algorithm)->simulate(scenario, {}).idle;
    };
    const std::uint64_t ineligible = lease::bit(RepairedRule::ineligible_member_abstains);
    EXPECT_LT(idle("tempo", 3, 815, 0), std::chrono::milliseconds(200));
    EXPECT_GT(idle("tempo", 3, 815, ineligible), std::chrono::milliseconds(700));
    const std::uint64_t amnesiac = lease::bit(RepairedRule::amnesiac_member_abstains);
    EXPECT_LT(idle("bully", 5, 58, 0), std::chrono::milliseconds(300));
    EXPECT_GT(idle("bully", 5, 58, amnesiac), std::chrono::milliseconds(900));
    EXPECT_LT(idle("tempo", 5, 173, 0), std::chrono::milliseconds(300));
    EXPECT_GT(idle("tempo", 5, 173, amnesiac), std::chrono::milliseconds(900));
}

// Of two, each hands over to the other: whoever led lately is the only one that can.
TEST(RepairedFaults, a_successor_that_led_lately_keeps_everybody_waiting) {
    simulator::Scenario scenario = simulator::stormy("bully", 2);
    scenario.storm = {};
    scenario.until = std::chrono::seconds(5);
    const auto& names = simulator::mishap_names();
    const auto asked = std::find(names.begin(), names.end(), "asked-to-leave") - names.begin();
    for (const std::uint32_t id : {2u, 1u})
        scenario.mishaps.push_back(
            {Id{id}, std::chrono::milliseconds(2080 - 40 * id), static_cast<std::uint8_t>(asked)});
    const auto idle = [&](std::uint64_t rules_off) {
        scenario.mutation.rules_off = rules_off;
        return simulator::find_engine(scenario.algorithm)->simulate(scenario, {}).idle;
    };
    EXPECT_LT(idle(0), std::chrono::milliseconds(10));
    EXPECT_GT(idle(lease::bit(RepairedRule::successor_need_not_rest)),
              std::chrono::milliseconds(300));
}

// Members that lose their leader together all call an election at once.
TEST(RepairedFaults, a_crowd_that_loses_its_leader_floods_the_network) {
    simulator::Scenario scenario = simulator::stormy("bully", 15);
    scenario.storm = {};
    scenario.until = std::chrono::seconds(4);
    scenario.delay = {simulator::Delay::Shape::uniform, std::chrono::milliseconds(1),
                      std::chrono::milliseconds(4)};
    scenario.partitions = {{{{Id{15}}}, {std::chrono::milliseconds(2030), *scenario.until}}};
    const auto elections = [&](std::uint64_t rules_off) {
        scenario.mutation.rules_off = rules_off;
        std::uint64_t sent = 0;
        const auto run = simulator::find_engine(scenario.algorithm)->simulate(scenario, {});
        for (const auto& [name, count] : run.by_type) sent += name == "Election" ? count : 0;
        return sent;
    };
    EXPECT_LT(elections(0), 60u);
    EXPECT_GT(elections(lease::bit(RepairedRule::better_stand_first)), 100u);
}

}  // namespace repaired_test
}  // namespace conclave
