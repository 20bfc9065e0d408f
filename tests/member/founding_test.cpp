// Every way in which a first roster can come about among two or three nodes that crash, come back
// with and without their disks, and lose messages: no two rosters fork, and it comes about. The
// largest search is in founding_soak.cpp.
#include <gtest/gtest.h>

#include "tests/member/searches.hpp"

namespace conclave::checker {
namespace founding_test {

// Faults in the first `window` ticks. A message takes a tick at most.
Query forming(std::uint32_t nodes, std::uint32_t window) {
    Query query = formation_query(nodes, window);
    query.threads = 2;
    return query;
}

TEST(FoundingSearch, two_that_crash_and_come_back_form_one_group) {
    Query query = forming(2, 8);
    query.budget.crashes = query.budget.recoveries = 2;
    query.budget.losses = 2;
    expect_formed(query);
}

TEST(FoundingSearch, one_that_loses_its_disk_meanwhile_takes_the_roster_from_the_other) {
    Query query = forming(2, 8);
    query.budget.crashes = query.budget.recoveries = query.budget.blank_recoveries = 1;
    query.budget.losses = 1;
    expect_formed(query);
}

TEST(FoundingSearch, three_of_whom_one_crashes_and_comes_back_form_one_group) {
    Query query = forming(3, 6);
    query.budget.crashes = query.budget.recoveries = 1;
    expect_formed(query);
}

TEST(FoundingSearch, two_that_crash_pause_fill_their_disk_and_are_asked_to_leave_form_one_group) {
    expect_formed(with_all(forming(2, 7), 3));
}

TEST(FoundingSearch, three_of_whom_one_crashes_and_one_has_trouble_form_one_group) {
    expect_formed(with_all(forming(3, 3), 1));
}

// One too many is here, at any time something is lost and a node crashes and comes back.
Query one_too_many() {
    Query query = forming(3, 1);
    query.ticks_max = 7;
    query.faults_until = 0;
    query.settings.front() = {"expect", "2"};
    query.budget.crashes = query.budget.recoveries = query.budget.losses = 1;
    return query;
}

TEST(FoundingSearch, of_three_where_two_are_expected_no_two_pairs_form_a_group) {
    expect_formed(one_too_many());
}

TEST(FoundingSearch, a_list_that_is_said_before_it_is_stored_lets_two_pairs_form) {
    Query query = one_too_many();
    query.settings.emplace_back("hasty", "on");
    EXPECT_EQ(formation_engine().explore(query, {}).property, "one-roster");
}

TEST(FoundingSearch, a_list_of_a_former_life_that_needs_nobodys_word_lets_two_pairs_form) {
    Query query = one_too_many();
    query.settings.emplace_back("trusts", "on");
    EXPECT_EQ(formation_engine().explore(query, {}).property, "one-roster");
}

}  // namespace founding_test
}  // namespace conclave::checker
