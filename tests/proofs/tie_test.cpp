// The code of the lease does nothing that proofs/lease.model does not allow: in every state that a
// small group can reach, whatever a member does is a sequence of the model's steps. And where the
// code leaves out one of its rules, the model says which requirement that breaks.
#include <gtest/gtest.h>

#include "conclave/checker/checker_hosting.hpp"
#include "tests/lease/searches.hpp"
#include "tests/proofs/tied.hpp"

namespace conclave::proofs {
namespace tie_test {

using checker::all_faults_but;
using checker::lease_query;
using checker::one_after_the_other;
using checker::Query;
using checker::Verdict;
using checker::with;
using lease::Rule;

static_assert(Algorithm<Tied>);

Verdict explore_tied(Query query) {
    query.properties = {"invariant"};
    query.threads = 2;
    return checker::explore<Tied>(query, {});
}

void expect_tied(const Query& query, std::uint64_t states) {
    const Verdict verdict = explore_tied(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds)
        << verdict.what << trace::diagram(verdict.story.trace, {});
    EXPECT_TRUE(verdict.searched.complete);
    EXPECT_GT(verdict.searched.states, states);
}

TEST(Tie, two_candidates_and_a_voter_take_steps_of_the_model) {
    expect_tied(lease_query(), 10'000);
}

TEST(Tie, renewals_are_steps_of_the_model) {
    Query query = with(lease_query(), "asks-max", "2");
    query.initiators = query.callers = {Id{1}};
    expect_tied(query, 1'000);
}

TEST(Tie, two_members_that_stand_again_and_again_take_steps_of_the_model) {
    Query query = with(lease_query(), "rounds-max", "3");
    query.ring = {Id{1}, Id{2}};
    expect_tied(query, 1'000);
}

TEST(Tie, a_restarted_member_that_stands_again_takes_steps_of_the_model) {
    Query query = with(lease_query(), "rounds-max", "2");
    query.ring = {Id{1}, Id{2}};
    query.initiators = query.callers = {Id{1}};
    query.budget.crashes = query.budget.recoveries = query.budget.calls = 1;
    expect_tied(query, 1'000);
}

TEST(Tie, a_command_that_ends_and_starts_anew_takes_steps_of_the_model) {
    Query query = with(lease_query(), "rounds-max", "2");
    query.initiators = query.callers = {Id{1}};
    query.budget.process_faults = 1;
    query.faults_off = all_faults_but("command-ends");
    expect_tied(query, 1'000);
}

TEST(Tie, a_crash_with_a_restart_or_the_loss_of_a_disk_is_a_step_of_the_model) {
    Query query = lease_query();
    query.budget.crashes = query.budget.recoveries = query.budget.blank_recoveries = 1;
    expect_tied(query, 10'000);
}

TEST(Tie, whatever_befalls_agent_guardian_command_or_disk_is_a_step_of_the_model) {
    Query query = lease_query();
    query.initiators = query.callers = {Id{1}};
    query.budget.process_faults = 2;
    expect_tied(query, 10'000);
}

TEST(Tie, a_disk_that_fails_beside_a_crash_is_a_step_of_the_model) {
    Query query = one_after_the_other();
    query.ring = {Id{1}, Id{2}};
    query.budget.crashes = query.budget.recoveries = query.budget.process_faults = 1;
    query.faults_off = all_faults_but("disk-fills", "folder-unsynced", "disk-recovers");
    expect_tied(query, 10'000);
}

// ---------------------------------------------------------------- every rule of the code is tied

void expect_refused(Query query, Rule rule, std::string_view by) {
    query.rules_off |= lease::bit(rule);
    const Verdict verdict = explore_tied(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::violated) << by;
    EXPECT_NE(verdict.what.find(by), std::string::npos) << verdict.what << " instead of " << by;
}

Query with_crash() {
    Query query = lease_query();
    query.budget.crashes = query.budget.recoveries = 1;
    return query;
}
Query with_lost_disk() {
    Query query = lease_query();
    query.budget.crashes = query.budget.blank_recoveries = 1;
    return query;
}
template <class... Names>
Query with_faults(std::uint8_t count, const Names&... names) {
    Query query = lease_query();
    query.budget.process_faults = count;
    query.faults_off = all_faults_but(names...);
    return query;
}

TEST(TieMutants, the_model_refuses_code_that_leaves_out_a_rule_of_time) {
    expect_refused(lease_query(), Rule::lease_shorter_than_promise, "R4-quorum");
    expect_refused(with_crash(), Rule::quarantine_after_restart, "grace");
    const Query renewed = with(with(one_after_the_other(), "promise", "5ms"), "lease", "2ms");
    expect_refused(with(renewed, "asks-max", "2"), Rule::lease_from_answered_asks,
                   "R9-work-ends-with-the-lease");
}

TEST(TieMutants, the_model_refuses_code_that_leaves_out_a_rule_of_memory) {
    expect_refused(lease_query(), Rule::highest_on_disk, "on-disk");  // `used` is in the same file
    Query stands_later = with_faults(1, "disk-fills");
    stands_later.initiators = {};
    stands_later.budget.calls = 1;
    expect_refused(stands_later, Rule::used_on_disk, "R1-used-on-disk");
    expect_refused(with_crash(), Rule::nonce_in_ballots, "R1-own-nonce");
    expect_refused(with_lost_disk(), Rule::amnesiac_member_promises_nothing, "amnesiac");
    expect_refused(with_faults(1, "disk-fills"), Rule::memory_never_behind_disk, "differ");
    expect_refused(with_faults(1, "disk-fills"), Rule::silent_until_stored, "R1");
    expect_refused(with_faults(1, "folder-unsynced"), Rule::folder_synchronised, "R1");
}

TEST(TieMutants, the_model_refuses_code_that_leaves_out_a_rule_of_releases) {
    Query called = lease_query();
    called.budget.calls = 1;
    expect_refused(called, Rule::release_after_work_is_gone, "R6-work-gone");
    expect_refused(called, Rule::release_of_own_ballot_only, "until");
    expect_refused(with_faults(1, "agent-pauses"), Rule::silence_for_a_paused_agent,
                   "R7-agent-gave-up");
    expect_refused(with_faults(2, "agent-dies", "agent-returns", "guardian-dies"),
                   Rule::former_work_gone, "R6-work-gone");
}

}  // namespace tie_test
}  // namespace conclave::proofs
