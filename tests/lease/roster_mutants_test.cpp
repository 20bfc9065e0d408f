// Every rule of changing rosters is needed: without it the checker shows two who act, or a token
// that falls, by its shortest run. Those that take longer are in roster_soak.cpp; those without
// which nobody leads, in roster_progress_test.cpp.
#include <gtest/gtest.h>

#include "tests/lease/rosters.hpp"

namespace conclave::checker {
namespace roster_mutants_test {

using Rule = lease::RosterRule;

// Two members of whom 2 is removed, or one member and 2 is added; one of them crashes and comes
// back without its disk.
Query between_one_and_two(const char* change, const char* founders) {
    Query query = rosters(change, {{"founders", founders}, {"rounds-max", "2"}});
    return with_crash(with_call(with_machines(query, 2), {Id{1}, Id{2}}), false, true);
}

// M2
TEST(RosterMutants, a_majority_of_the_members_alone_lets_a_token_fall) {
    const Query query = between_one_and_two("-2", "2");
    expect_needed(query, Rule::majority_of_former_members, 17, token_falls);
}
TEST(RosterMutants, a_majority_of_the_former_members_alone_lets_a_token_fall) {
    expect_needed(between_one_and_two("+2", "1"), Rule::majority_of_members, 16, token_falls);
}
TEST(RosterMutants, newcomers_that_count_before_they_answer_let_a_token_fall) {
    expect_needed(between_one_and_two("+2", "1"), Rule::newcomers_count_by_answer, 16, token_falls);
}
TEST(RosterMutants, promises_of_those_who_are_no_members_let_two_act) {
    expect_needed(between_one_and_two("-2", "2"), Rule::members_alone_count, 13, two_act);
}

// M3
TEST(RosterMutants, an_older_roster_that_is_promised_lets_two_act) {
    const Query query = with_call(rosters("1:=1", {{"rounds-max", "2"}}), {Id{3}});
    expect_needed(query, Rule::older_roster_refused, 11, two_act);
}

// M4: the form that the single-server bug of Raft takes here. Two former leaders have each left a
// change that only they know of.
TEST(RosterMutants, a_change_that_is_done_by_the_stamp_of_another_leader_lets_two_act) {
    Query query = rosters("1:=1", {{"left", "2"}, {"rounds-max", "2"}, {"asks-max", "2"}});
    expect_needed(with_call(query, {Id{2}}), Rule::done_by_own_stamp, 8, two_act);
}

// M4, M5
TEST(RosterMutants, a_change_that_is_done_too_early_lets_a_token_fall) {
    for (const Rule rule :
         {Rule::done_by_stamped_asks, Rule::done_by_both_majorities, Rule::completed_when_done})
        expect_needed(between_one_and_two("-2", "2"), rule, 17, token_falls);
}

// M5
TEST(RosterMutants, a_second_change_beside_a_pending_one_lets_two_act) {
    const Query query = rosters("1:=1,1:3ms/2ms", {{"asks-max", "4"}});
    expect_needed(with_call(query, {Id{2}}), Rule::one_change_at_a_time, 10, two_act);
}

// M8
TEST(RosterMutants, a_promise_of_another_disk_of_the_same_member_lets_two_act) {
    Query query = with_crash(rosters("-3", {{"joins", "on"}}), false, true);
    query.initiators = {Id{1}, Id{2}};
    expect_needed(query, Rule::identity_of_the_disk, 6, two_act);
}

// M9
TEST(RosterMutants, a_census_without_a_wait_lets_two_act) {
    Query query = with_crash(rosters("-3"), false, true);
    query.initiators = {Id{1}, Id{2}};
    expect_needed(query, Rule::silence_before_census, 11, two_act);
}

// M10
TEST(RosterMutants, a_promise_that_shrinks_lets_two_act) {
    Query query = rosters("1:2ms/1ms", {{"promise", "4ms"}, {"lease", "3ms"}});
    query.initiators = {Id{1}, Id{2}};
    expect_needed(query, Rule::promise_never_shrinks, 9, two_act);
}
TEST(RosterMutants, a_restart_that_waits_for_the_promise_time_of_the_roster_lets_two_act) {
    Query query = rosters("1:2ms/1ms", {{"promise", "4ms"}, {"lease", "3ms"}});
    query.initiators = {Id{1}, Id{2}};
    expect_needed(with_crash(query, true, false), Rule::restart_by_given_promise, 12, two_act);
}
TEST(RosterMutants, a_longer_lease_for_asks_that_were_sent_before_lets_two_act) {
    const Query query =
        rosters("1:4ms/3ms",
                {{"promise", "2ms"}, {"lease", "1ms"}, {"asks-max", "2"}, {"rounds-max", "2"}});
    expect_needed(with_call(query, {Id{2}}), Rule::lease_time_of_its_ask, 10, two_act);
}

}  // namespace roster_mutants_test
}  // namespace conclave::checker
