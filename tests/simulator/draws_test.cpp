#include "conclave/simulator/world/draws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "conclave/core/key.hpp"

namespace conclave::simulator {
namespace draws_test {

using namespace std::chrono_literals;

double mean_of(const Delay& delay, std::uint32_t draws) {
    double sum = 0;
    for (std::uint32_t i = 0; i < draws; ++i) sum += static_cast<double>(draw_delay(delay, mix(i)));
    return sum / draws;
}

TEST(Draws, below_reaches_every_number_alike) {
    std::vector<int> hits(7);
    for (std::uint64_t i = 0; i < 70'000; ++i) ++hits.at(below(7, mix(i)));
    for (const int hit : hits) EXPECT_NEAR(hit, 10'000, 400);
}

TEST(Draws, below_one_leaves_no_choice) {
    EXPECT_EQ(below(1, 0), 0u);
    EXPECT_EQ(below(1, ~std::uint64_t{0}), 0u);
}

TEST(Draws, below_goes_beyond_32_bits) {
    const std::uint64_t n = std::uint64_t{1} << 40;
    std::uint64_t greatest = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) greatest = std::max(greatest, below(n, mix(i)));
    EXPECT_LT(greatest, n);
    EXPECT_GT(greatest, n / 100 * 99);
}

TEST(Draws, minus_log_is_the_logarithm) {
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const std::uint64_t bits = mix(i) >> (i % 60);
        const double exact = -std::log(static_cast<double>(bits | 1) / std::ldexp(1, 64));
        EXPECT_NEAR(std::ldexp(static_cast<double>(minus_log(bits)), -26), exact, 4e-6) << bits;
    }
}

// No fraction takes part in them, so they can be stated to the last digit.
static_assert(minus_log(~std::uint64_t{0}) == 0);
static_assert(minus_log(std::uint64_t{1} << 63) == 46516320);
static_assert(minus_log(0) == 64 * std::uint64_t{46516320});

TEST(Draws, exponential_delays_have_the_mean_asked_for) {
    const Delay delay{Delay::Shape::exponential, 3ms, {}};
    EXPECT_NEAR(mean_of(delay, 200'000), 3e6, 3e4);
}

TEST(Draws, exponential_delays_are_short_more_often_than_long) {
    const Delay delay{Delay::Shape::exponential, 1ms, {}};
    int shorter = 0;
    for (std::uint64_t i = 0; i < 100'000; ++i) shorter += draw_delay(delay, mix(i)) < 1'000'000;
    EXPECT_NEAR(shorter, 63'212, 600);  // 1 - 1/e
}

TEST(Draws, exponential_delays_of_hours_do_not_overflow) {
    const Delay delay{Delay::Shape::exponential, 1000h, {}};
    const Duration longest{draw_delay(delay, 0)};
    EXPECT_GT(longest, 44'000h);
    EXPECT_LT(longest, 45'000h);
}

TEST(Draws, uniform_delays_keep_within_their_limits_and_reach_both) {
    const Delay delay{Delay::Shape::uniform, 2ns, 5ns};
    std::vector<int> hits(8);
    for (std::uint64_t i = 0; i < 1000; ++i)
        ++hits.at(static_cast<std::size_t>(draw_delay(delay, mix(i))));
    EXPECT_EQ(hits[0] + hits[1] + hits[6] + hits[7], 0);
    for (std::size_t ns = 2; ns <= 5; ++ns) EXPECT_GT(hits[ns], 150) << ns;
}

TEST(Draws, a_constant_delay_needs_no_luck) {
    const Delay delay{Delay::Shape::constant, 7ms, {}};
    EXPECT_EQ(draw_delay(delay, 0), draw_delay(delay, ~std::uint64_t{0}));
    EXPECT_EQ(Duration{draw_delay(delay, 1)}, 7ms);
}

TEST(Draws, the_longest_delay_is_hardly_ever_exceeded) {
    const Delay delay{Delay::Shape::exponential, 1ms, {}};
    for (std::uint64_t i = 0; i < 1'000'000; ++i)
        ASSERT_LE(Duration{draw_delay(delay, mix(i))}, longest_delay(delay));
}

}  // namespace draws_test
}  // namespace conclave::simulator
