// The large searches of the whole member, a minute each.
#include <gtest/gtest.h>

#include "tests/member/searches.hpp"

namespace conclave::checker {
namespace member_search_soak {

TEST(MemberSoak, of_two_one_acts_with_faults_in_four_ticks) {
    expect_holds(hand_over(2, 4), 7'000'000);
}

TEST(MemberSoak, of_two_one_acts_with_a_crash_and_two_of_all_faults_and_requests) {
    Query query = hand_over(2, 1);
    query.budget.process_faults = 2;
    query.faults_off = 0;
    expect_holds(query, 9'000'000);
}

TEST(MemberSoak, of_three_one_acts_with_a_crash_and_one_of_all_faults_and_requests) {
    Query query = hand_over(3, 1);
    query.budget.process_faults = 1;
    query.faults_off = 0;
    expect_holds(query, 2'000'000);
}

TEST(MemberSoak, of_three_that_crash_pause_fill_their_disk_and_are_asked_to_leave_one_acts) {
    expect_holds(hand_over(3, 1), 15'000'000);
}

}  // namespace member_search_soak
}  // namespace conclave::checker
