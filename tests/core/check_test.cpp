#include "conclave/core/check.hpp"

#include <gtest/gtest.h>

namespace conclave {
namespace check_test {

TEST(Checks, that_hold_are_silent) { check(true, "one is one"); }

TEST(ChecksDeathTest, that_do_not_hold_stop_the_program_and_say_where) {
    EXPECT_DEATH(check(false, "one is two"),
                 "check_test.cpp:[0-9]+: this must never happen: one is two");
}

}  // namespace check_test
}  // namespace conclave
