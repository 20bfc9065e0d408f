// Faults of agents that were repaired, planted again: each is found by the checker, or by a storm
// of which the seed is known. docs/checking.md has them as a table; tests/member has those of
// formation.
#include "tests/lease/searches.hpp"
#include "tests/lease/storms.hpp"

namespace conclave {
namespace repaired_test {

using checker::Query;
using lease::Rule;

Query crash_with(const std::string& disk_fault) {
    Query query = checker::one_after_the_other();
    std::swap(query.initiators, query.callers);
    query.budget.crashes = query.budget.recoveries = query.budget.woes = 1;
    query.woes_off = checker::all_woes_but(disk_fault, "disk-recovers");
    return query;
}

// The first property that this storm violates without the rule; with it, none is.
std::string violated_by(const std::string& algorithm, Rule rule, std::uint64_t seed) {
    simulator::Scenario scenario = simulator::stormy(algorithm);
    scenario.seed = seed;
    const auto run = [&] {
        return simulator::find_engine(scenario.algorithm)->simulate(scenario, {}).violations;
    };
    EXPECT_TRUE(run().empty());
    scenario.mutation.rules_off = lease::bit(rule);
    const auto found = run();
    return found.empty() ? "" : found.front().property;
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
    query.budget.woes = 2;
    query.woes_off = checker::all_woes_but("agent-dies", "agent-returns", "guardian-dies");
    checker::expect_found(query, Rule::former_work_gone, 7, checker::two_act);
    EXPECT_EQ(violated_by("bully", Rule::former_work_gone, 760), "one leader");
}

}  // namespace repaired_test
}  // namespace conclave
