// A counterexample of the checker runs again in the simulator, and looks the same there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conclave/browser/counterexample.hpp"
#include "conclave/checker/lease_search.hpp"
#include "conclave/lab/check_verb.hpp"
#include "conclave/trace/diagram.hpp"
#include "tests/lease/searches.hpp"
#include "tests/support/tool.hpp"

namespace conclave::cli {
namespace replay_test {

using checker::Query;
using lease::Rule;

// Without the line above it, the lines below it, and the times.
std::string picture(trace::Trace trace) {
    trace.title.clear();
    std::erase_if(trace.records, [](const trace::Record& record) {
        return record.kind == trace::Kind::store || record.kind == trace::Kind::violation;
    });
    return trace::diagram(trace, {.width = 100});
}

void expect_same(Query query, Rule rule, const std::string& property) {
    query.rules_off |= lease::bit(rule);
    const auto verdict = checker::explore_lease(query);
    ASSERT_EQ(verdict.answer, checker::Verdict::Answer::violated);
    const auto file = simulator::read_recording(
        simulator::to_toml(browser::to_recording(query, verdict)), "run.toml");
    ASSERT_EQ(file.problem, "");
    trace::Trace trace;
    const auto outcome = simulator::replay_run(file.recording, &trace);
    ASSERT_FALSE(outcome.violations.empty()) << picture(trace) << picture(verdict.story.trace);
    EXPECT_EQ(outcome.violations.front().property, property);
    EXPECT_EQ(outcome.violations.front().time, verdict.story.end);
    EXPECT_EQ(picture(trace), picture(verdict.story.trace));
}

TEST(Replay, a_lease_too_long) {
    expect_same(with(checker::lease_query(), "rounds-max", "2"), Rule::lease_shorter_than_promise,
                "one leader");
}

TEST(Replay, a_restart_without_quarantine) {
    Query query = checker::lease_query();
    query.budget.crashes = query.budget.recoveries = 1;
    expect_same(query, Rule::quarantine_after_restart, "one leader");
}

TEST(Replay, a_promise_that_was_not_stored) {
    Query query = checker::one_after_the_other();
    std::swap(query.initiators, query.callers);
    query.budget.crashes = query.budget.recoveries = 1;
    expect_same(query, Rule::highest_on_disk, "token");
}

TEST(Replay, a_lease_from_the_last_send) {
    const Query query =
        with(with(checker::one_after_the_other(), "promise", "5ms"), "lease", "2ms");
    expect_same(with(query, "asks-max", "2"), Rule::lease_from_answered_asks, "one leader");
}

TEST(Replay, a_release_too_early) {
    Query query = checker::lease_query();
    query.budget.calls = 1;
    expect_same(query, Rule::release_after_work_is_gone, "one leader");
}

TEST(Replay, a_disk_lost_and_a_promise_all_the_same) {
    Query query = checker::lease_query();
    query.budget.crashes = query.budget.blank_recoveries = 1;
    expect_same(query, Rule::amnesiac_member_promises_nothing, "one leader");
}

TEST(Replay, an_agent_that_dies_before_its_work) {
    Query query = checker::lease_query();
    query.budget.process_faults = 1;
    query.faults_off = checker::all_faults_but("agent-dies");
    expect_same(query, Rule::release_after_work_is_gone, "one leader");
}

}  // namespace replay_test
}  // namespace conclave::cli
