// The whole member explored: hand-over among two and three members, each search with a crash and
// return, a pause, a disk that fails and an operator's request, at any time within the window. The
// larger searches are in search_soak.cpp.
#include <gtest/gtest.h>

#include "tests/member/searches.hpp"

namespace conclave::checker {
namespace member_search_test {

TEST(MemberSearch, of_two_that_crash_pause_fill_their_disk_and_are_asked_to_leave_one_acts) {
    expect_holds(hand_over(2, 1), 70'000);
}

// Two candidates that outbid each other, each just before the other's asks arrive, would go on for
// ever: asked to leave in the second tick, the leader and its successor stand at such times.
TEST(MemberSearch, of_two_that_stand_against_each_other_one_gives_way) {
    Query query = hand_over(2, 2);
    expect_holds(query, 250'000);
    query.rules_off = lease::bit(lease::Rule::outbid_candidate_rests);
    expect_violated(query, "acts-in-time");
}

TEST(MemberSearch, of_three_one_acts_whatever_happens_to_one_at_one_moment) {
    Query query = hand_over(3, 1);
    query.budget.crashes = query.budget.recoveries = 0;
    query.budget.process_faults = 1;
    expect_holds(query, 7'000);
}

// A leader leaves while another restarts, and what the leader and a third said before arrives after
// its farewell.
TEST(MemberSearch, a_leader_that_left_is_not_followed_by_hearsay) {
    Query query = hand_over(3, 1);
    query.budget.process_faults = 1;
    query.faults_off = ~member_faults_named("agent-leaves");
    expect_holds(query, 10'000);
    query.rules_off = lease::bit(lease::Rule::departed_not_followed);
    expect_violated(query, "acts-in-time");
}

// Time goes on for ever: the whole graph of steps is looked at for a circle without a leader.
Query for_ever(Query query) {
    query.properties = {"eventually"};
    query.budget.process_faults = 1;
    return endless(std::move(query));
}

void expect_circle(const Query& query) {
    const Verdict verdict = member_engine().explore(query, {});
    EXPECT_EQ(verdict.answer, Verdict::Answer::violated);
    EXPECT_EQ(verdict.property, "eventually") << verdict.what;
    EXPECT_GT(verdict.circle, 0u);
    EXPECT_FALSE(verdict.story.trace.records.empty());
}

TEST(MemberSearch, of_two_nobody_waits_for_ever) {
    const Query query = for_ever(hand_over(2, 1));
    const Verdict verdict = member_engine().explore(query, {});
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << verdict.property << ": " << verdict.what;
    EXPECT_TRUE(verdict.searched.complete);
    EXPECT_EQ(verdict.untested, std::vector<std::string>{"acts-in-time"});  // time is never up
}

TEST(MemberSearch, of_two_that_do_not_say_that_they_are_there_both_wait_in_a_circle) {
    Query query = for_ever(hand_over(2, 1));
    query.budget.crashes = query.budget.recoveries = 0;
    query.mute = member_message("Present");
    expect_circle(query);
}

// Rounds grow without end, but they are counted anew: the same worlds come again.
TEST(MemberSearch, of_two_that_outbid_each_other_both_stand_in_a_circle) {
    Query query = for_ever(hand_over(2, 2));
    query.budget.crashes = query.budget.recoveries = 0;
    query.faults_off = ~member_faults_named("asked-to-leave");
    EXPECT_EQ(member_engine().explore(query, {}).answer, Verdict::Answer::holds);
    query.rules_off = lease::bit(lease::Rule::outbid_candidate_rests);
    expect_circle(query);
}

TEST(MemberSearch, of_three_nobody_waits_for_ever) {
    Query query = for_ever(hand_over(3, 1));
    query.budget.crashes = query.budget.recoveries = 0;
    const Verdict verdict = member_engine().explore(query, {});
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << verdict.property << ": " << verdict.what;
    EXPECT_TRUE(verdict.searched.complete);
}

TEST(MemberSearch, members_that_never_say_that_they_are_there_wait_for_ever) {
    Query query = hand_over(3, 1);
    query.mute = member_message("Present");
    expect_violated(query, "acts-in-time");
}

TEST(MemberSearch, a_release_before_the_work_is_gone_lets_two_act) {
    Query query = hand_over(3, 1);
    query.budget.crashes = query.budget.recoveries = 0;
    query.budget.process_faults = 1;
    query.settings.emplace_back("stop", "8ms");  // longer than it takes to elect another
    query.faults_off = ~member_faults_named("agent-dies");
    EXPECT_EQ(member_engine().explore(query, {}).answer, Verdict::Answer::holds);
    query.rules_off = lease::bit(lease::Rule::release_after_work_is_gone);
    expect_violated(query, "one-leader");
}

}  // namespace member_search_test
}  // namespace conclave::checker
