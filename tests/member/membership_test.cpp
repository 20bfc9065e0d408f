// What becomes of a roster by a change, and how changes are written.
#include "conclave/member/membership.hpp"

#include <gtest/gtest.h>

namespace conclave::member {
namespace membership_test {

using namespace std::chrono_literals;
using Obstacle = RosterChange::Obstacle;

Roster of(std::initializer_list<std::uint32_t> ids) {
    Roster roster;
    for (const std::uint32_t id : ids) roster.members.push_back({Id{id}, 1});
    roster.before = roster.members;
    roster.promise = 300ms, roster.lease = 280ms;
    return roster;
}
RosterChange read(std::string_view text) {
    RosterChange change;
    EXPECT_TRUE(change.parse(text)) << text;
    return change;
}
Seats after(std::string_view text, const Roster& roster, std::uint32_t key = 1) {
    return read(text).apply(roster, key).members;
}

TEST(RosterChange, members_are_added_removed_and_replaced_in_order) {
    EXPECT_EQ(after("+2", of({1, 3})), of({1, 2, 3}).members);
    EXPECT_EQ(after("-2", of({1, 2, 3})), of({1, 3}).members);
    EXPECT_EQ(after("-1+4", of({1, 2, 3})), of({2, 3, 4}).members);
    EXPECT_EQ(after("=13", of({1, 2, 3})), of({1, 3}).members);
}

TEST(RosterChange, another_disk_takes_the_place_of_the_former_one) {
    const Seats seats = after("-2+2", of({1, 2}), 7);
    EXPECT_EQ(seats, (Seats{{Id{1}, 1}, {Id{2}, 7}}));
}

TEST(RosterChange, times_change_without_members_and_members_without_times) {
    const Roster roster = of({1, 2});
    const lease::Alter times = read("500ms/400ms").apply(roster, 1);
    EXPECT_EQ(times.members, roster.members);
    EXPECT_EQ(times.promise, 500ms);
    EXPECT_EQ(times.lease, 400ms);
    EXPECT_EQ(read("+3").apply(roster, 1).promise, 300ms);
}

TEST(RosterChange, what_cannot_be_has_a_reason) {
    const Roster roster = of({1, 2});
    EXPECT_EQ(read("+2").obstacle(roster), Obstacle::is_member);
    EXPECT_EQ(read("-3").obstacle(roster), Obstacle::no_member);
    EXPECT_EQ(read("-1").obstacle(of({1})), Obstacle::last_member);
    EXPECT_EQ(read("-1+2").obstacle(of({1})), Obstacle::none);
    EXPECT_EQ(read("-2+2").obstacle(roster), Obstacle::none);
    EXPECT_EQ(RosterChange{}.obstacle(roster), Obstacle::nothing_changes);
}

TEST(RosterChange, what_is_written_wrongly_is_refused) {
    for (const std::string_view text : {"", "4", "+", "-", "+0", "+17", "+4-3", "-3-4", "=", "=0",
                                        "=1a", "5ms", "2ms/5ms", "/", "1:", "x:+4", "+4 "})
        EXPECT_FALSE(RosterChange{}.parse(text)) << text;
}

TEST(RosterPlan, steps_follow_each_other_and_may_have_alternatives) {
    Changes changes;
    ASSERT_TRUE(changes.parse("1:+4|2:-3,-4"));
    ASSERT_NE(changes.after(0), nullptr);
    EXPECT_EQ(changes.after(0)->size(), 2u);
    EXPECT_EQ(changes.after(0)->at(1).by, Id{2});
    EXPECT_EQ(changes.after(1)->at(0).removed, Id{4});
    EXPECT_EQ(changes.after(2), nullptr);
    EXPECT_EQ(changes.greatest(), 4u);
    for (const std::string_view text : {"", ",", "+4,", "+4||-3", "|", "+4,,-3"})
        EXPECT_FALSE(changes.parse(text)) << text;
}

}  // namespace membership_test
}  // namespace conclave::member
