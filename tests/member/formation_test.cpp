#include "conclave/member/formation.hpp"

#include <gmock/gmock.h>

#include <string>

namespace conclave::member {
namespace formation_test {

using testing::ElementsAre;
using Named = Formation<std::string>;
using Names = Named::Names;
using Next = Named::Next;
using Obstacle = Named::Obstacle;

Named a_of(std::uint32_t expected, Names said = {}) {
    return Named::begin("a", expected, std::move(said));
}

TEST(Formation, is_complete_when_all_have_said_that_they_heard_the_same) {
    Named a = a_of(3);
    a.hear("b", {"a", "b"}, false);
    a.hear("c", {"a", "b", "c"}, false);
    EXPECT_EQ(a.next(), Next::keep);
    a.confirm();
    EXPECT_EQ(a.next(), Next::wait);  // b has not heard of c yet
    a.hear("b", {"a", "b", "c"}, false);
    EXPECT_EQ(a.next(), Next::fix);
    EXPECT_THAT(a.roster(), ElementsAre("a", "b", "c"));
}

TEST(Formation, a_complete_list_is_said_only_when_it_is_on_disk) {
    Named a = a_of(2);
    EXPECT_THAT(a.statement(), ElementsAre("a"));
    a.hear("b", {"a", "b"}, false);
    EXPECT_THAT(a.statement(), ElementsAre("a"));
    EXPECT_EQ(a.next(), Next::keep);
    a.confirm();
    EXPECT_THAT(a.statement(), ElementsAre("a", "b"));
}

// Its own list says nothing about theirs.
TEST(Formation, a_list_kept_in_a_former_life_needs_the_others_word_all_the_same) {
    Named a = a_of(2, {"a", "b"});
    EXPECT_THAT(a.statement(), ElementsAre("a", "b"));
    EXPECT_EQ(a.next(), Next::wait);
    a.hear("b", {"b", "c"}, true);  // b and c have formed the group meanwhile
    EXPECT_EQ(a.obstacle(), Obstacle::no_member);
    Named again = a_of(2, {"a", "b"});
    again.hear("b", {"a", "b"}, false);
    EXPECT_EQ(again.next(), Next::fix);
}

TEST(Formation, what_was_said_in_a_former_life_is_said_again) {
    Named a = a_of(3, {"a", "b", "c"});
    a.hear("d", {"a", "d", "e"}, false);
    a.hear("e", {"a", "d", "e"}, false);
    EXPECT_EQ(a.next(), Next::wait);
    EXPECT_EQ(a.obstacle(), Obstacle::too_many);
}

TEST(Formation, waits_while_there_are_too_many) {
    Named a = a_of(2);
    a.hear("b", {"a", "b"}, false);
    a.confirm();
    EXPECT_EQ(a.next(), Next::fix);
    a.hear("c", {"a", "b", "c"}, false);
    EXPECT_EQ(a.next(), Next::wait);
    EXPECT_EQ(a.obstacle(), Obstacle::too_many);
}

TEST(Formation, a_node_that_lost_its_memory_takes_the_roster_from_the_others) {
    Named a = a_of(3);
    a.hear("c", {"c", "b", "a"}, true);
    EXPECT_EQ(a.next(), Next::fix);
    EXPECT_THAT(a.roster(), ElementsAre("a", "b", "c"));
}

TEST(Formation, whoever_is_not_in_a_fixed_roster_or_expects_another_one_must_go) {
    Named a = a_of(3);
    a.hear("b", {"b", "c", "d"}, true);
    EXPECT_EQ(a.obstacle(), Obstacle::no_member);
    Named five = a_of(5);
    five.hear("b", {"a", "b", "c"}, true);
    EXPECT_EQ(five.obstacle(), Obstacle::other_size);
    EXPECT_EQ(five.next(), Next::wait);
}

TEST(Formation, a_group_of_one_forms_itself) {
    Named a = a_of(1);
    EXPECT_EQ(a.next(), Next::keep);
    a.confirm();
    EXPECT_EQ(a.next(), Next::fix);
}

TEST(Formation, an_observer_adopts_a_roster_of_the_expected_size_in_which_it_is_not) {
    const std::vector<std::string> roster{"a", "b", "c"};
    const std::string o = "o", b = "b";
    EXPECT_EQ(adoption_of(roster, 3, o), Adoption::possible);
    EXPECT_EQ(adoption_of(roster, 0, o), Adoption::possible);
    EXPECT_EQ(adoption_of(roster, 5, o), Adoption::other_size);
    EXPECT_EQ(adoption_of(roster, 3, b), Adoption::is_member);
}

}  // namespace formation_test
}  // namespace conclave::member
