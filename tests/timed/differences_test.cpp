#include "conclave/timed/daemon/differences.hpp"

#include <gtest/gtest.h>

namespace conclave::timed {
namespace differences_test {

using namespace std::chrono_literals;

TEST(Differences, below_twenty_seconds_are_slewed_as_bsd_timed_does) {
    Differences differences;
    for (const bool sets : {false, true})
        for (const Duration by : {Duration{0}, Duration{5ms}, Duration{-3s}, Duration{19999ms}})
            EXPECT_EQ(differences.judge(by, sets), Response::slew) << by.count();
}

TEST(Differences, a_date_that_is_set_is_stepped_at_once) {
    Differences differences;
    EXPECT_EQ(differences.judge(1h, true), Response::step);
    EXPECT_EQ(differences.judge(-20s, true), Response::step);
}

TEST(Differences, an_adjustment_of_twenty_seconds_is_obeyed_when_the_master_insists) {
    Differences differences;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(differences.judge(-20s, false), Response::refuse) << i;
    EXPECT_EQ(differences.judge(-20s, false), Response::step);
    EXPECT_EQ(differences.judge(1h, false), Response::refuse);
    EXPECT_EQ(differences.judge(1s, false), Response::slew);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(differences.judge(1h, false), Response::refuse) << i;
}

}  // namespace differences_test
}  // namespace conclave::timed
