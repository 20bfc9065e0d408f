#include "conclave/member/backoff.hpp"

#include <gtest/gtest.h>

namespace conclave::member {
namespace backoff_test {

using std::chrono::milliseconds, std::chrono::seconds;

TEST(Backoff, the_pause_doubles_up_to_its_most_and_is_short_again_after_a_while) {
    constexpr Duration least = milliseconds(100);
    Backoff backoff;
    EXPECT_EQ(backoff.pause_after({}, least), milliseconds(100));
    EXPECT_EQ(backoff.pause_after({}, least), milliseconds(200));
    EXPECT_EQ(backoff.pause_after(seconds(9), least), milliseconds(400));
    for (int i = 0; i < 100; ++i) backoff.pause_after({}, least);
    EXPECT_EQ(backoff.pause_after({}, least), seconds(5));
    EXPECT_EQ(backoff.pause_after(seconds(10), least), milliseconds(100));
    EXPECT_EQ(backoff.pause_after({}, least), milliseconds(200));
}

TEST(Backoff, without_a_first_pause_there_is_none) {
    Backoff backoff;
    EXPECT_EQ(backoff.pause_after({}, {}), Duration{0});
    EXPECT_EQ(backoff, Backoff{});  // nothing to remember
}

}  // namespace backoff_test
}  // namespace conclave::member
