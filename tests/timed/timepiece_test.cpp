// What the kernel is told; what it is asked to do is watched from outside, by system_clock.py.
#include "conclave/timed/timepiece.hpp"

#include <gtest/gtest.h>

namespace conclave::timed {
namespace timepiece_test {

using namespace std::chrono_literals;

TEST(Timepiece, the_kernel_is_told_errors_in_whole_microseconds_never_too_small) {
    const KernelErrors errors =
        kernel_errors({.estimate = 1500ns, .path = 50us}, clock::Trust::holdover);
    EXPECT_EQ(errors.maximum_us, 52);
    EXPECT_EQ(errors.estimated_us, 1);
    EXPECT_FALSE(errors.unsynchronised);
}

TEST(Timepiece, from_sixteen_seconds_on_its_clock_is_not_synchronised) {
    constexpr auto trust = clock::Trust::synchronised;
    EXPECT_FALSE(kernel_errors({.growth = 16s - 1ns}, trust).unsynchronised);
    const KernelErrors errors = kernel_errors({.growth = 1h}, trust);
    EXPECT_TRUE(errors.unsynchronised);
    EXPECT_EQ(errors.maximum_us, 16'000'000);  // the kernel takes no more
}

TEST(Timepiece, a_clock_that_nobody_can_vouch_for_is_not_synchronised) {
    const KernelErrors errors = kernel_errors({.estimate = 1us}, clock::Trust::unknown);
    EXPECT_TRUE(errors.unsynchronised);
    EXPECT_EQ(errors.maximum_us, 16'000'000);
    EXPECT_EQ(errors.estimated_us, 16'000'000);
}

TEST(Timepiece, the_kernel_is_asked_for_500_ppm_by_its_frequency_and_for_more_by_its_tick) {
    EXPECT_EQ(kernel_rate(clock::ppm(-500)).frequency, -500l << 16);
    EXPECT_EQ(kernel_rate(clock::ppm(-500)).tick, 0);
    EXPECT_EQ(kernel_rate(clock::ppm(50'020)).tick, 500);
    EXPECT_EQ(kernel_rate(clock::ppm(50'020)).frequency, 20l << 16);
    EXPECT_EQ(kernel_rate(clock::ppm(-1'000'000)).tick, -1000) << "it takes no more";
    for (const std::int64_t n : {-99'999, -501, -3, 0, 17, 12'345, 100'000})
        EXPECT_LE(clock::magnitude(rate_of(kernel_rate(clock::ppm(n))) - clock::ppm(n)),
                  clock::ppb(1));
}

}  // namespace timepiece_test
}  // namespace conclave::timed
