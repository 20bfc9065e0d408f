// The lease over a shared cell: every behaviour within the bounds given, and each rule left out.
#include <gtest/gtest.h>

#include <algorithm>

#include "conclave/simulator/cluster/cluster.hpp"
#include "tests/lease/cells.hpp"
#include "tests/lease/storms.hpp"

namespace conclave::checker {
namespace cell_test {

using lease::CellRule;

void expect_unsafe(Query query, CellRule rule, std::size_t steps, std::string_view what = two_act) {
    query.rules_off = lease::bit(rule);
    query.shortest = true;
    const Verdict verdict = explore_cell(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::violated) << name_of(rule);
    EXPECT_EQ(verdict.searched.found.steps.size(), steps) << name_of(rule);
    EXPECT_NE(verdict.what.find(what), std::string::npos) << verdict.what;
}

TEST(CellSearch, late_lost_and_doubled_messages_never_let_two_act_under_drift) {
    expect_safe_cell(cell_query(), 30'216);
    Query query = cell_query();
    query.budget.losses = 1;
    expect_safe_cell(query, 52'136);
    query.budget.duplicates = 1;
    query.budget.losses = 0;
    expect_safe_cell(query, 253'678);
}

TEST(CellSearch, an_agent_that_pauses_or_is_set_aside_never_lets_two_act) {
    Query query = suffers(same_pace(), "agent-pauses", "agent-resumes");
    query.budget.losses = 1;
    expect_safe_cell(query, 284'274);
    expect_safe_cell(suffers(same_pace(), "agent-set-aside", "agent-reinstated"), 108'050);
}

TEST(CellSearch, a_crash_a_restart_a_pause_and_a_lost_answer_together_never_let_two_act) {
    Query query = crashes(suffers(same_pace(), "agent-pauses", "agent-resumes"));
    query.budget.losses = 1;
    expect_safe_cell(with(query, "writes-max", "1"), 200'442);
}

TEST(CellMutants, drift_matters) {
    expect_unsafe(cell_query(), CellRule::claim_shorter_than_promise, 13);
}

TEST(CellMutants, times_count_from_where_they_are_safe) {
    expect_unsafe(same_pace(), CellRule::claim_from_its_sending, 13);
    expect_unsafe(same_pace(), CellRule::silence_from_its_sight, 9);
    expect_unsafe(with(same_pace(), "longer", "1ms"), CellRule::silence_of_the_holder, 13);
}

TEST(CellMutants, the_cell_compares_and_keeps) {
    expect_unsafe(same_pace(), CellRule::version_compared, 8);
    expect_unsafe(crashes(same_pace()), CellRule::writes_survive_failover, 10, token_falls);
}

TEST(CellMutants, a_life_that_is_over_stays_over) {
    expect_unsafe(crashes(same_pace()), CellRule::life_in_claims, 16);
    const Query dies = suffers(same_pace(), "agent-dies", "agent-returns");
    expect_unsafe(dies, CellRule::note_of_its_agent_only, 19);
    expect_unsafe(dies, CellRule::freed_after_work_is_gone, 10);
    const Query pauses = suffers(same_pace(), "agent-pauses", "agent-resumes");
    expect_unsafe(pauses, CellRule::note_of_the_dead_only, 16);
    const Query aside = suffers(same_pace(), "agent-set-aside", "agent-reinstated");
    expect_unsafe(with(aside, "writes-max", "3"), CellRule::freed_claim_forfeited, 15);
}

simulator::Scenario stormy_cell(std::uint32_t nodes) {
    simulator::Scenario scenario;
    scenario.algorithm = "cell";
    scenario.nodes = nodes;
    scenario.storm = std::chrono::seconds(10);
    EXPECT_TRUE(simulator::validate(scenario).empty());
    return scenario;
}

TEST(CellStorms, no_thousand_storms_let_two_act_or_stop_the_work_for_longer_than_the_bound) {
    simulator::expect_calm(stormy_cell(3), {1, 1000});
    simulator::expect_calm(stormy_cell(5), {1, 300});
}

TEST(CellStorms, two_act_where_a_rule_is_left_out) {
    for (const CellRule rule :
         {CellRule::claim_shorter_than_promise, CellRule::claim_from_its_sending,
          CellRule::version_compared, CellRule::writes_survive_failover,
          CellRule::freed_after_work_is_gone}) {
        simulator::Scenario scenario = stormy_cell(3);
        scenario.mutation.rules_off = lease::bit(rule);
        EXPECT_GT(simulator::weather(scenario, {1, 500}).summary.failures, 0u) << name_of(rule);
    }
}

TEST(CellStorms, a_cell_has_rules_of_its_own) {
    const auto has = [](std::string_view algorithm, const std::string& rule) {
        const auto& names = simulator::lease_rule_names(algorithm);
        return std::find(names.begin(), names.end(), rule) != names.end();
    };
    EXPECT_TRUE(has("cell", "version-compared"));
    EXPECT_FALSE(has("cell", "highest-on-disk"));
    EXPECT_TRUE(has("cluster-bully", "highest-on-disk"));
    EXPECT_FALSE(has("cluster-bully", "version-compared"));
}

}  // namespace cell_test
}  // namespace conclave::checker
