// The lease explored: every behaviour within the bounds given, and none with two who act or with a
// token that falls. The larger searches are in search_soak.cpp.
#include <gtest/gtest.h>

#include "tests/lease/searches.hpp"

namespace conclave::checker {
namespace search_test {

using Answer = Verdict::Answer;

TEST(LeaseSearch, renewals_never_let_two_act) {
    const Verdict verdict = explore_lease(with(lease_query(), "asks-max", "2"));
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_GT(verdict.searched.states, 150'000u);
}

TEST(LeaseSearch, a_crash_and_a_restart_or_the_loss_of_a_disk_never_let_two_act) {
    Query query = lease_query();
    query.budget.crashes = query.budget.recoveries = query.budget.blank_recoveries = 1;
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_GT(verdict.searched.states, 150'000u);
}

TEST(LeaseSearch, whatever_befalls_agent_guardian_or_file_never_lets_two_act) {
    Query query = lease_query();
    query.budget.process_faults = 1;
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_GT(verdict.searched.states, 100'000u);
}

TEST(LeaseSearch, a_disk_that_fails_beside_a_crash_never_lets_two_act) {
    Query query = lease_query();
    query.budget.crashes = query.budget.recoveries = query.budget.process_faults = 1;
    query.faults_off = all_faults_but("folder-unsynced", "disk-recovers");
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_TRUE(verdict.searched.complete);
}

TEST(LeaseSearch, a_doubled_message_never_lets_two_act) {
    Query query = lease_query();
    query.budget.duplicates = 2;
    EXPECT_EQ(explore_lease(query).answer, Answer::holds);
}

TEST(LeaseSearch, members_that_are_all_amnesiac_form_a_group_and_never_let_two_act) {
    Query query = with(lease_query(), "formed", "off");
    query.initiators = query.callers = {Id{1}};
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_TRUE(verdict.untested.empty());  // somebody came to act
}

// L = 3 units pass within 2 ticks of a fast clock: a lease of 1 unit is over before, one of 2 is
// not (search_soak.cpp).
TEST(LeaseSearch, a_lease_one_tick_longer_than_it_may_be_lets_two_act) {
    const Query query = with(lease_query(), "rounds-max", "2");
    const Verdict longer = explore_lease(with(query, "lease", "2ms"));
    EXPECT_EQ(longer.answer, Answer::violated);
    EXPECT_EQ(longer.property, "one-leader");
    EXPECT_EQ(longer.searched.found.steps.size(), 9u);
}

TEST(LeaseSearch, to_forget_messages_that_nobody_hears_any_more_changes_no_verdict) {
    Query query = lease_query();
    for (const char* lease : {"1ms", "2ms"}) {
        query = with(with(query, "lease", lease), "rounds-max", "1");
        query.reduce = true;
        const Verdict less = explore_lease(query);
        query.reduce = false;
        const Verdict all = explore_lease(query);
        EXPECT_EQ(less.answer, all.answer) << lease;
        EXPECT_LT(less.searched.states, all.searched.states);
    }
    query = with(query, "rounds-max", "2");
    for (const bool reduce : {true, false}) {
        query.reduce = reduce;
        const Verdict verdict = explore_lease(query);
        EXPECT_EQ(verdict.answer, Answer::violated);
        EXPECT_EQ(verdict.searched.found.steps.size(), 9u);
    }
}

}  // namespace search_test
}  // namespace conclave::checker
