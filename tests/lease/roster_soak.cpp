// The larger searches of rosters that change, up to a minute or two each.
#include <gtest/gtest.h>

#include "tests/lease/rosters.hpp"

namespace conclave::checker {
namespace roster_soak {

using Rule = lease::RosterRule;

Query two_machines(const char* change, const char* founders) {
    Query query = rosters(change, {{"founders", founders}, {"rounds-max", "2"}});
    return with_call(with_machines(query, 2), {Id{1}, Id{2}});
}

TEST(RosterSoak, two_members_become_one_beside_every_fault_of_a_machine) {
    expect_safe(with_crash(two_machines("-2", "2"), true, true), 3'225'423);
}
TEST(RosterSoak, one_member_becomes_two_beside_every_fault_of_a_machine) {
    expect_safe(with_crash(two_machines("+2", "1"), true, true), 985'817);
}
TEST(RosterSoak, two_members_become_one_beside_a_doubled_message) {
    Query query = two_machines("-2", "2");
    query.budget.duplicates = 1;
    expect_safe(query, 441'114);
}

TEST(RosterSoak, three_members_become_two_and_one_and_two_beside_a_second_candidate) {
    Query query = rosters("-3,-2,+2", {{"asks-max", "7"}});
    query.initiators = {Id{1}, Id{2}};
    expect_safe(query, 306'428);
}
TEST(RosterSoak, a_member_is_removed_or_added_beside_a_crash_with_a_restart_or_a_lost_disk) {
    expect_safe(with_crash(rosters("-3"), true, true), 775'540);
    expect_safe(with_crash(rosters("+3", {{"founders", "2"}}), true, true), 358'486);
}

// Each has left a change of which nobody else heard.
TEST(RosterSoak, two_former_leaders_with_changes_of_their_own_stand_again) {
    const Query query = rosters("1:=1", {{"left", "2"}, {"rounds-max", "2"}});
    expect_safe(with_call(query, {Id{2}}), 1'344'253);
}

TEST(RosterSoak, a_newer_roster_that_is_not_stored_lets_two_act) {
    const Query query = with_call(rosters("1:=1", {{"rounds-max", "2"}}), {Id{3}});
    expect_needed(with_crash(query, true, false), Rule::newer_roster_stored, 13, two_act);
}
TEST(RosterSoak, a_census_that_waits_for_less_than_the_longest_promise_lets_two_act) {
    const Query query = rosters("1:2ms/1ms", {{"promise", "2ms"},
                                              {"lease", "1ms"},
                                              {"first-promise", "4ms"},
                                              {"first-lease", "3ms"},
                                              {"asks-max", "2"}});
    expect_needed(with_crash(with_call(query, {Id{2}}), false, true),
                  Rule::silence_of_longest_promise, 17, two_act);
}

}  // namespace roster_soak
}  // namespace conclave::checker
