// The large searches of the lease, minutes each.
#include <gtest/gtest.h>

#include "tests/lease/searches.hpp"

namespace conclave::checker {
namespace search_soak {

using lease::Rule;
using Answer = Verdict::Answer;

// A crash, a restart, the loss of a disk, a doubled message, and one of: the agent dies, pauses,
// its guardian dies, its state file vanishes, it is asked to leave. Loss and reordering are in the
// network anyhow: a message may take for ever.
TEST(LeaseSoak, all_faults_once_each_never_let_two_act) {
    Query query = lease_query();
    query.budget.crashes = query.budget.recoveries = query.budget.blank_recoveries = 1;
    query.budget.duplicates = query.budget.process_faults = 1;
    query.faults_off =
        faults_named("guardian-pauses", "guardian-resumes");  // a search of their own
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_TRUE(verdict.searched.complete);
    EXPECT_GE(verdict.searched.states, 30'000'000u);
    EXPECT_LE(verdict.searched.set_bytes, 16 * verdict.searched.states);
}

TEST(LeaseSoak, two_candidates_that_stand_again_never_act_together) {
    const Verdict verdict = explore_lease(with(lease_query(), "rounds-max", "2"));
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_TRUE(verdict.searched.complete);
    EXPECT_GT(verdict.searched.states, 250'000u);
    EXPECT_TRUE(verdict.untested.empty());
}

TEST(LeaseSoak, a_crash_and_a_restart_among_members_that_stand_again_never_let_two_act) {
    Query query = with(lease_query(), "rounds-max", "2");
    query.budget.crashes = query.budget.recoveries = 1;
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_GE(verdict.searched.states, 4'000'000u);
}

TEST(LeaseSoak, a_crash_while_a_group_forms_never_lets_two_act) {
    Query query = with(lease_query(), "formed", "off");
    query.initiators = query.callers = {Id{1}};
    query.budget.crashes = query.budget.recoveries = 1;
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_GT(verdict.searched.states, 900'000u);
}

TEST(LeaseSoak, a_guardian_that_pauses_beside_a_crash_and_another_fault_never_lets_two_act) {
    Query query = lease_query();
    query.budget.crashes = query.budget.recoveries = 1;
    query.budget.process_faults = 2;
    query.faults_off = all_faults_but("agent-dies", "agent-returns", "agent-pauses",
                                      "agent-resumes", "guardian-pauses", "guardian-resumes");
    query.callers.clear();
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_TRUE(verdict.searched.complete);
}

// A disk that fails in each way, beside a crash, a restart, and an agent that pauses or dies.
TEST(LeaseSoak, a_disk_that_fails_beside_a_crash_and_a_pause_never_lets_two_act) {
    for (const std::string fault : {"disk-fills", "folder-unsynced", "write-unconfirmed"}) {
        Query query = lease_query();
        query.budget.crashes = query.budget.recoveries = 1;
        query.budget.process_faults = 2;
        query.faults_off = all_faults_but(fault, "disk-recovers", "agent-pauses", "agent-resumes",
                                          "agent-dies", "agent-returns");
        const Verdict verdict = explore_lease(query);
        EXPECT_EQ(verdict.answer, Answer::holds) << fault << ": " << verdict.what;
        EXPECT_TRUE(verdict.searched.complete) << fault;
        EXPECT_GE(verdict.searched.states, 1'000'000u) << fault;
        RecordProperty(fault, std::to_string(verdict.searched.states));
    }
}

TEST(LeaseSoak, two_crashes_and_two_restarts_never_let_two_act) {
    Query query = lease_query();
    query.budget.crashes = query.budget.recoveries = 2;
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_TRUE(verdict.searched.complete);
}

// Clocks that agree, where drift does not matter: fewer runs.
Query without_drift(const Query& query) {
    Query steady = with(query, "promise", "2ms");
    steady.rate_max = 1;
    return steady;
}

// A nonce that differs covers for a round that is used twice, so it is left out on both sides.
TEST(LeaseSoak, a_used_ballot_that_is_not_stored_lets_a_token_fall) {
    Query query = without_drift(with(lease_query(), "asks-max", "2"));
    query.initiators.clear();
    query.callers = {Id{1}};
    query.budget.calls = query.budget.crashes = query.budget.recoveries = 2;
    query.rules_off = lease::bit(Rule::nonce_in_ballots);
    EXPECT_EQ(explore_lease(query).answer, Answer::holds);
    expect_found(query, Rule::used_on_disk, 15, token_falls);
}

TEST(LeaseSoak, a_death_notice_for_a_paused_agent_lets_two_act) {
    Query query = without_drift(with(one_after_the_other(), "asks-max", "2"));
    query.budget.process_faults = 1;
    query.faults_off = all_faults_but("agent-pauses", "agent-resumes");
    expect_found(query, Rule::silence_for_a_paused_agent, 13, two_act);
}

// Without a nonce, a member that lost its disk gets answers meant for its former self: the
// shortest run has 17 steps, among six million worlds.
TEST(LeaseSoak, without_a_nonce_two_act) {
    Query query = lease_query();
    query.initiators = {Id{1}};
    query.budget.calls = 2;
    query.budget.crashes = query.budget.blank_recoveries = 1;
    query.rules_off = lease::bit(Rule::nonce_in_ballots);
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::violated);
    EXPECT_EQ(verdict.searched.found.steps.size(), 17u);
    EXPECT_NE(verdict.what.find(two_act), std::string::npos) << verdict.what;
}

}  // namespace search_soak
}  // namespace conclave::checker
