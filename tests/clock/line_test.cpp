#include "conclave/clock/line.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conclave/clock/sample.hpp"

namespace conclave::clock {
namespace line_test {

using namespace std::chrono_literals;

TEST(Rate, is_exact_to_a_nanosecond_over_a_day) {
    EXPECT_EQ(over(ppm(100), 24h), 8640ms);
    EXPECT_EQ(over(ppb(1), 24h), 86400ns);
    EXPECT_EQ(over(-ppm(100), 1s), -100us);
    EXPECT_EQ(rate_of(100us, 1s), ppm(100));
}

TEST(Rate, rounds_to_the_nearest_on_both_sides_of_zero) {
    EXPECT_EQ(over({600}, 1ms), 0ns);
    EXPECT_EQ(over({600'000}, 1ms), 1ns);
    EXPECT_EQ(over({-600'000}, 1ms), -1ns);
    EXPECT_EQ(over({-400'000}, 1ms), 0ns);
}

RC_GTEST_PROP(Rate, a_root_is_the_greatest_number_whose_square_is_no_more, ()) {
    const auto n = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50);
    const Wide r = root(n);
    RC_ASSERT(r * r <= n && (r + 1) * (r + 1) > n);
}

// Three clocks: what B shows leads to C by the line between them.
RC_GTEST_PROP(Line, between_two_others_joins_their_clocks, ()) {
    const auto some = [](std::int64_t limit) { return *rc::gen::inRange(-limit, limit); };
    const Line to_b{Time{some(1'000'000'000)}, Duration{some(3'600'000'000'000)},
                    Rate{some(rate_limit.ppt)}};
    const Line to_c{Time{some(1'000'000'000)}, Duration{some(3'600'000'000'000)},
                    Rate{some(rate_limit.ppt)}};
    const Line joined = between(to_b, to_c, Time{some(1'000'000'000)});
    const Time later{some(60'000'000'000)};
    const Time b = later + to_b(later), c = later + to_c(later);
    RC_ASSERT(magnitude(b + joined(b) - c) <= 3ns);
}

RC_GTEST_PROP(Sample, does_not_see_a_delay_that_is_equal_both_ways, ()) {
    const Duration delay{*rc::gen::inRange<std::int64_t>(0, 10'000'000'000)};
    const Duration offset{*rc::gen::inRange<std::int64_t>(-1'000'000'000, 1'000'000'000)};
    const Sample sample = sample_of({0ns, delay + offset, delay + offset + 5us, 2 * delay + 5us});
    RC_ASSERT(sample.offset() == offset);
    RC_ASSERT(sample.round_trip() == 2 * delay);
}

TEST(Sample, is_wrong_by_half_of_what_the_delays_differ) {
    EXPECT_EQ(sample_of({0ns, 30us, 30us, 40us}).offset(), 10us);
}

}  // namespace line_test
}  // namespace conclave::clock
