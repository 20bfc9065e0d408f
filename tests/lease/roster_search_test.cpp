// Rosters that change, explored: every behaviour within the bounds given, and none with two who act
// or with a token that falls. The larger searches are in roster_soak.cpp.
#include <gtest/gtest.h>

#include "tests/lease/rosters.hpp"

namespace conclave::checker {
namespace roster_search_test {

TEST(RosterSearch, three_members_become_two_and_one_and_two_again) {
    expect_safe(rosters("-3,-2,+2", {{"asks-max", "7"}}), 29'863);
}

TEST(RosterSearch, three_members_become_four_and_three_again) {
    expect_safe(with_machines(rosters("+4,-4", {{"asks-max", "5"}}), 4), 121'354);
}

TEST(RosterSearch, a_member_is_replaced_while_another_stands) {
    Query query = rosters("-2+3", {{"founders", "2"}});
    query.initiators = {Id{1}, Id{2}};
    expect_safe(query, 8'509);
}

TEST(RosterSearch, two_leaders_change_the_roster_each_in_its_own_way) {
    Query query = rosters("1:-3|2:-1");
    query.initiators = {Id{1}, Id{2}};
    expect_safe(query, 6'307);
}

TEST(RosterSearch, a_member_is_replaced_beside_a_crash_with_a_restart_or_a_lost_disk) {
    expect_safe(with_crash(rosters("-2+3", {{"founders", "2"}}), true, true), 193'829);
}

TEST(RosterSearch, times_change_beside_a_crash_with_a_restart) {
    expect_safe(with_crash(rosters("5ms/4ms"), true, false), 123'153);
}

TEST(RosterSearch, a_member_is_removed_beside_a_disk_that_fails) {
    const Query query = with_faults(rosters("-3"), "disk-fills", "folder-unsynced",
                                    "write-unconfirmed", "disk-recovers");
    expect_safe(query, 31'935);
}

TEST(RosterSearch, members_and_times_change_beside_a_message_that_arrives_twice) {
    Query query = rosters("-3,-2,+2", {{"asks-max", "7"}});
    query.budget.duplicates = 1;
    expect_safe(query, 68'542);
    query = rosters("5ms/4ms");
    query.budget.duplicates = 1;
    expect_safe(query, 12'792);
}

}  // namespace roster_search_test
}  // namespace conclave::checker
