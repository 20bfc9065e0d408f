// What the kernel is told; what it is asked to do is watched from outside, by system_clock.py.
#include "conclave/timed/timepiece.hpp"

#include <gtest/gtest.h>

namespace conclave::timed {
namespace timepiece_test {

using namespace std::chrono_literals;

TEST(Timepiece, the_kernel_is_told_errors_in_whole_microseconds_never_too_small) {
    const KernelErrors errors = kernel_errors(1500ns);
    EXPECT_EQ(errors.maximum_us, 2);
    EXPECT_EQ(errors.estimated_us, 1);
    EXPECT_FALSE(errors.unsynchronised);
}

TEST(Timepiece, from_sixteen_seconds_on_its_clock_is_not_synchronised) {
    EXPECT_FALSE(kernel_errors(16s - 1ns).unsynchronised);
    const KernelErrors errors = kernel_errors(1h);
    EXPECT_TRUE(errors.unsynchronised);
    EXPECT_EQ(errors.maximum_us, 16'000'000);  // the kernel takes no more
}

}  // namespace timepiece_test
}  // namespace conclave::timed
