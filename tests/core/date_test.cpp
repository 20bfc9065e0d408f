#include "conclave/core/date.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace conclave {
namespace date_test {

using namespace std::chrono_literals;

TEST(Dates, are_read_as_rfc_3339_writes_them) {
    EXPECT_EQ(parse_date("1970-01-01"), 0s);
    EXPECT_EQ(parse_date("2026-11-17"), 1'794'873'600s);
    EXPECT_EQ(parse_date("2026-11-17T10:30:00Z"), 1'794'911'400s);
    EXPECT_EQ(parse_date("2026-11-17 10:30:00Z"), 1'794'911'400s);
    EXPECT_EQ(parse_date("2026-11-17T10:30:00.25Z"), 1'794'911'400s + 250ms);
    EXPECT_EQ(parse_date("2026-11-17T10:30:00.000000001Z"), 1'794'911'400s + 1ns);
    EXPECT_EQ(parse_date("2026-11-17T11:30:00+01:00"), 1'794'911'400s);
    EXPECT_EQ(parse_date("2026-11-17T05:00:00-05:30"), 1'794'911'400s);
    EXPECT_EQ(parse_date("2024-02-29"), 1'709'164'800s);
    EXPECT_EQ(parse_date("2261-12-31T23:59:59Z"), 9'214'646'399s);
}

// clang-format off
constexpr const char* nonsense[] = {
    "", "today", "2026", "2026-11", "2026-11-", "2026-11-7", "26-11-17", "2026/11/17",
    "2026-13-01", "2026-00-01", "2026-11-00", "2026-11-31", "2026-02-29", "1969-12-31",
    "2262-01-01", "-2026-11-17", "2026-11-17T", "2026-11-17T10", "2026-11-17T10:30Z",
    "2026-11-17T10:30:00", "2026-11-17T24:00:00Z", "2026-11-17T10:60:00Z", "2026-11-17T10:30:60Z",
    "2026-11-17T10:30:00.Z", "2026-11-17T10:30:00+1", "2026-11-17T10:30:00Z ", " 2026-11-17",
    "2026-11-17T10:30:00ZZ", "2026-11-17T10:30:00+24:00", "1970-01-01T00:00:00+01:00",
    "99999-01-01"};
// clang-format on

TEST(Dates, that_are_none_are_refused) {
    for (const char* text : nonsense) EXPECT_FALSE(parse_date(text)) << text;
}

TEST(Dates, are_printed_in_utc_with_milliseconds) {
    EXPECT_EQ(format_date(0s), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(format_date(1'794'911'400s + 250'999us), "2026-11-17T10:30:00.250Z");
    EXPECT_EQ(format_date(-1ms), "1969-12-31T23:59:59.999Z");
}

RC_GTEST_PROP(Dates, are_read_back_as_they_were_printed, ()) {
    const Time time = *rc::gen::inRange<std::int64_t>(0, 9'214'646'399'999) * 1ms;
    RC_ASSERT(parse_date(format_date(time)) == time);
}

}  // namespace date_test
}  // namespace conclave
