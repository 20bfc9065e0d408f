#include "conclave/simulator/scenario/spelling.hpp"

#include <gtest/gtest.h>

#include "conclave/core/key.hpp"

namespace conclave::simulator {
namespace spelling_test {

constexpr std::uint64_t one = std::uint64_t{1} << 32;

TEST(Spelling, odds_are_shares_or_percentages) {
    EXPECT_EQ(parse_odds("0"), Odds{0});
    EXPECT_EQ(parse_odds("1"), Odds{one});
    EXPECT_EQ(parse_odds("1.000"), Odds{one});
    EXPECT_EQ(parse_odds("0.5"), Odds{one / 2});
    EXPECT_EQ(parse_odds(".25"), Odds{one / 4});
    EXPECT_EQ(parse_odds("50%"), Odds{one / 2});
    EXPECT_EQ(parse_odds("100%"), Odds{one});
    EXPECT_EQ(parse_odds("12.5%"), Odds{one / 8});
    EXPECT_EQ(parse_odds("0.05"), Odds{214748365});  // 214748364.8, to the nearest
    EXPECT_EQ(parse_odds("5%"), parse_odds("0.05"));
}

TEST(Spelling, what_is_no_share_is_refused) {
    for (const auto* text :
         {"", ".", "-0.1", "1.01", "2", "101%", "%", "0,5", "1e-3", "0.5x", "nan"})
        EXPECT_FALSE(parse_odds(text)) << text;
}

TEST(Spelling, odds_are_written_as_short_as_they_read_back) {
    EXPECT_EQ(format_odds(*parse_odds("0.05")), "0.05");
    EXPECT_EQ(format_odds(*parse_odds("0.3333")), "0.3333");
    EXPECT_EQ(format_odds({0}), "0");
    EXPECT_EQ(format_odds({one}), "1");
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const Odds odds{i < 1000 ? i : i < 2000 ? one - i + 1000 : mix(i) >> 32};
        ASSERT_EQ(parse_odds(format_odds(odds)), odds) << odds.of_2_32;
    }
}

TEST(Spelling, rates_have_three_digits_behind_the_point) {
    EXPECT_EQ(parse_ppm("50"), 50'000);
    EXPECT_EQ(parse_ppm("0.25"), 250);
    EXPECT_EQ(parse_ppm("-1.5"), -1'500);
    EXPECT_FALSE(parse_ppm("0.0001"));
    EXPECT_FALSE(parse_ppm("99999999999999999999"));
    EXPECT_FALSE(parse_ppm(""));
    for (const std::int64_t ppb : {0L, 1L, -1L, 999L, -1000L, 123'456'789L, -500'000'000L})
        EXPECT_EQ(parse_ppm(format_ppm(ppb)), ppb);
}

TEST(Spelling, ids_are_positive_numbers) {
    EXPECT_EQ(parse_ids("3,1,2"), (std::vector<Id>{Id{3}, Id{1}, Id{2}}));
    for (const auto* text :
         {"", "0", "1,", ",1", "1,,2", "-1", "x", "1 ,2", "4294967295", "4294967296"})
        EXPECT_FALSE(parse_ids(text)) << text;
}

TEST(Spelling, delays_have_three_shapes) {
    using namespace std::chrono_literals;
    EXPECT_EQ(parse_delay("2ms"), (Delay{Delay::Shape::constant, 2ms, {}}));
    EXPECT_EQ(parse_delay("1.5ms..2.5ms"), (Delay{Delay::Shape::uniform, 1'500us, 2'500us}));
    EXPECT_EQ(parse_delay("exp:2ms"), (Delay{Delay::Shape::exponential, 2ms, {}}));
    for (const auto* text : {"", "2", "..", "1ms..", "exp:", "exp:1ms..2ms", "ms"})
        EXPECT_FALSE(parse_delay(text)) << text;
}

TEST(Spelling, a_span_without_an_end_lasts_for_ever) {
    using namespace std::chrono_literals;
    EXPECT_EQ(parse_span("1s..2s"), (Span{1s, 2s}));
    EXPECT_EQ(parse_span("1s.."), (Span{1s, never}));
    EXPECT_EQ(parse_span("1s"), (Span{1s, never}));
    EXPECT_FALSE(parse_span("..2s"));
    EXPECT_EQ(format_span({1s, never}), "1s..");
}

}  // namespace spelling_test
}  // namespace conclave::simulator
