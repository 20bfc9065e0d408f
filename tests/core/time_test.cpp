#include "conclave/core/time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace conclave {
namespace time_test {

using namespace std::chrono_literals;

TEST(Durations, read_a_number_and_a_unit) {
    EXPECT_EQ(parse_duration("250ms"), 250ms);
    EXPECT_EQ(parse_duration("2s"), 2s);
    EXPECT_EQ(parse_duration("1.5us"), 1500ns);
    EXPECT_EQ(parse_duration("4min"), 4min);
    EXPECT_EQ(parse_duration("1h"), 1h);
    EXPECT_EQ(parse_duration("0.25h"), 15min);
    EXPECT_EQ(parse_duration("7ns"), 7ns);
    EXPECT_EQ(parse_duration("-3ms"), -3ms);
}

TEST(Durations, of_zero_need_no_unit) {
    EXPECT_EQ(parse_duration("0"), 0ns);
    EXPECT_EQ(parse_duration("0s"), 0ns);
    EXPECT_EQ(parse_duration("-0.0"), 0ns);
}

// clang-format off
constexpr const char* nonsense[] = {
    "", "s", "-", ".", ".s", "1.2.3s", "1 s", "1sec", "1S", "s1", "--1s", "+1s", "1e3s", "0x1s",
    "5", "0.5", "1.", "0.0s1", "99999999999999999999ns", "9223372036854775808ns",
    "9223372036.854775808s", "9999999999s", "2562048h"};
// clang-format on

TEST(Durations, that_make_no_sense_are_refused) {
    for (const char* text : nonsense) EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Durations, reach_to_the_end_of_time) {
    EXPECT_EQ(parse_duration("9223372036854775807ns"), never);
    EXPECT_EQ(parse_duration(format_duration(never)), never);
}

TEST(Durations, may_have_a_long_fraction_of_which_less_than_a_nanosecond_is_lost) {
    EXPECT_EQ(parse_duration("1.50000000000000s"), 1500ms);
    EXPECT_EQ(parse_duration(".500000000000000000000000000h"), 30min);
    EXPECT_EQ(parse_duration("0.0000000000025h"), 9ns);
    EXPECT_EQ(parse_duration("1.9ns"), 1ns);
    EXPECT_EQ(parse_duration("0.9999999999999999s"), 999'999'999ns);
}

TEST(Durations, are_written_in_the_unit_people_would_use) {
    EXPECT_EQ(format_duration(0ns), "0s");
    EXPECT_EQ(format_duration(1500us), "1.5ms");
    EXPECT_EQ(format_duration(90s), "90s");
    EXPECT_EQ(format_duration(2min), "2min");
    EXPECT_EQ(format_duration(3h), "3h");
    EXPECT_EQ(format_duration(1000000001ns), "1.000000001s");
    EXPECT_EQ(format_duration(999ns), "999ns");
    EXPECT_EQ(format_duration(-250ms), "-250ms");
    EXPECT_EQ(format_duration(Duration::min()), "-9223372036854775808ns");
}

RC_GTEST_PROP(Durations, are_read_back_exactly_as_written, (std::int64_t ns, std::uint8_t shift)) {
    const Duration value{std::max(ns >> (shift % 64), -std::numeric_limits<std::int64_t>::max())};
    RC_ASSERT(parse_duration(format_duration(value)) == value);
}

RC_GTEST_PROP(Durations, in_whole_units_are_read_back, (std::int32_t count)) {
    for (const Duration unit : {Duration{1h}, Duration{1min}, Duration{1s}, Duration{1ms}}) {
        const Duration value = (count % 1'000'000) * unit;
        RC_ASSERT(parse_duration(format_duration(value)) == value);
    }
}

}  // namespace time_test
}  // namespace conclave
