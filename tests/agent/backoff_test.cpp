#include "conclave/agent/backoff.hpp"

#include <gtest/gtest.h>

namespace conclave::agent {
namespace backoff_test {

using std::chrono::milliseconds, std::chrono::seconds;

TEST(Backoff, the_pause_doubles_up_to_its_most_and_is_short_again_after_a_while) {
    Backoff backoff;
    EXPECT_EQ(backoff.pause_after({}), milliseconds(100));
    EXPECT_EQ(backoff.pause_after({}), milliseconds(200));
    EXPECT_EQ(backoff.pause_after(seconds(9)), milliseconds(400));
    for (int i = 0; i < 100; ++i) backoff.pause_after({});
    EXPECT_EQ(backoff.pause_after({}), seconds(5));
    EXPECT_EQ(backoff.pause_after(seconds(10)), milliseconds(100));
    EXPECT_EQ(backoff.pause_after({}), milliseconds(200));
}

}  // namespace backoff_test
}  // namespace conclave::agent
