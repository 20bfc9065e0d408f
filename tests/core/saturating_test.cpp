#include "conclave/core/saturating.hpp"

#include <gtest/gtest.h>

namespace conclave {
namespace saturating_test {

TEST(Saturating, multiplies_up_to_the_ceiling) {
    EXPECT_EQ(times(6, 7), 42u);
    EXPECT_EQ(times(0, ceiling), 0u);
    EXPECT_EQ(times(ceiling, 0), 0u);
    EXPECT_EQ(times(ceiling, 1), ceiling);
    EXPECT_EQ(times(ceiling, 2), ceiling);
    EXPECT_EQ(times(std::uint64_t{1} << 40, std::uint64_t{1} << 40), ceiling);
}

TEST(Saturating, raises_to_a_power_up_to_the_ceiling) {
    EXPECT_EQ(power(2, 0), 1u);
    EXPECT_EQ(power(2, 10), 1024u);
    EXPECT_EQ(power(20, 3), 8000u);
    EXPECT_EQ(power(2, 61), ceiling);
    EXPECT_EQ(power(2, 0xffffffff), ceiling);
    EXPECT_EQ(power(1, 0xffffffff), 1u);
    EXPECT_EQ(power(0, 0), 1u);
    EXPECT_EQ(power(0, 5), 0u);
}

TEST(Saturating, knows_the_power_of_one_and_a_half) {
    EXPECT_EQ(root_power(1), 1u);
    EXPECT_EQ(root_power(2), 2u);
    EXPECT_EQ(root_power(3), 5u);
    EXPECT_EQ(root_power(4), 8u);
    EXPECT_EQ(root_power(100), 1000u);
    EXPECT_EQ(root_power(1'000'000), 1'000'000'000u);
}

TEST(Saturating, the_power_of_one_and_a_half_grows_strictly) {
    for (std::uint32_t i = 1; i < 100'000; ++i) ASSERT_LT(root_power(i), root_power(i + 1)) << i;
    for (std::uint32_t i = 0xfffffff0; i != 0xffffffff; ++i)
        ASSERT_LT(root_power(i), root_power(i + 1)) << i;
}

TEST(Saturating, counts_dyadic_digits) {
    // 1, 2, 11, 12, 21, 22, 111
    const std::uint64_t digits[] = {1, 1, 2, 2, 2, 2, 3};
    for (std::uint64_t i = 1; i <= 7; ++i) EXPECT_EQ(dyadic_digits(i), digits[i - 1]) << i;
    EXPECT_EQ(dyadic_digits(1'000'000), 19u);
}

}  // namespace saturating_test
}  // namespace conclave
