// Every rule of the lease is needed: without it the checker shows two who act, or a token that
// falls, by its shortest run. Those that take longer are in search_soak.cpp.
#include <gtest/gtest.h>

#include "tests/lease/searches.hpp"

namespace conclave::checker {
namespace mutants_test {

using lease::Rule;

TEST(LeaseMutants, a_lease_as_long_as_the_promise_lets_two_act) {
    expect_found(with(lease_query(), "rounds-max", "2"), Rule::lease_shorter_than_promise, 8,
                 two_act);
}

TEST(LeaseMutants, without_quarantine_two_act) {
    Query query = lease_query();
    query.budget.crashes = query.budget.recoveries = 1;
    expect_found(query, Rule::quarantine_after_restart, 6, two_act);
}

TEST(LeaseMutants, a_promise_that_is_not_stored_lets_a_token_fall) {
    Query query = one_after_the_other();
    std::swap(query.initiators, query.callers);
    query.budget.crashes = query.budget.recoveries = 1;
    expect_found(query, Rule::highest_on_disk, 10, token_falls);
}

TEST(LeaseMutants, a_lease_from_the_last_send_lets_two_act) {
    const Query query = with(with(one_after_the_other(), "promise", "5ms"), "lease", "2ms");
    expect_found(with(query, "asks-max", "2"), Rule::lease_from_answered_asks, 10, two_act);
}

TEST(LeaseMutants, a_release_before_the_work_is_gone_lets_two_act) {
    Query query = lease_query();
    query.budget.calls = 1;
    expect_found(query, Rule::release_after_work_is_gone, 5, two_act);
}

TEST(LeaseMutants, a_release_of_another_ballot_lets_a_token_fall) {
    expect_found(with(lease_query(), "rounds-max", "2"), Rule::release_of_own_ballot_only, 7,
                 token_falls);
}

// 2 stands at the start and 1 when it is called, a machine crashes and comes up again, and one disk
// fails in this way.
Query with_disk_fault(const std::string& fault) {
    Query query = one_after_the_other();
    std::swap(query.initiators, query.callers);
    query.budget.crashes = query.budget.recoveries = query.budget.process_faults = 1;
    query.faults_off = all_faults_but(fault, "disk-recovers");
    return query;
}

TEST(LeaseMutants, a_promise_that_leaves_before_it_is_stored_lets_a_token_fall) {
    expect_found(with_disk_fault("disk-fills"), Rule::silent_until_stored, 11, token_falls);
}

TEST(LeaseMutants, a_folder_that_is_not_synchronised_lets_a_token_fall) {
    expect_found(with_disk_fault("folder-unsynced"), Rule::folder_synchronised, 11, token_falls);
}

TEST(LeaseMutants, gone_before_the_former_tree_is_empty_lets_two_act) {
    Query query = lease_query();
    query.budget.process_faults = 2;
    query.faults_off = all_faults_but("agent-dies", "agent-returns", "guardian-dies");
    expect_found(query, Rule::former_work_gone, 7, two_act);
}

TEST(LeaseMutants, an_amnesiac_member_that_promises_lets_two_act) {
    Query query = lease_query();
    query.budget.crashes = query.budget.blank_recoveries = 1;
    expect_found(query, Rule::amnesiac_member_promises_nothing, 6, two_act);
}

}  // namespace mutants_test
}  // namespace conclave::checker
