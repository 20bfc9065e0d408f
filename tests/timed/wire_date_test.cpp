#include "conclave/timed/daemon/wire_date.hpp"

#include <gtest/gtest.h>

namespace conclave::timed {
namespace wire_date_test {

using namespace std::chrono_literals;

constexpr Time year_2026 = 1'767'225'600s, year_2040 = 2'208'988'800s, year_2090 = 3'786'912'000s;

// As the wire cuts it.
Time cut(Time date) {
    return std::chrono::seconds(static_cast<std::int32_t>(static_cast<std::uint32_t>(date / 1s)));
}

TEST(WireDate, of_all_that_32_bits_can_mean_the_nearest_is_taken) {
    EXPECT_EQ(cut(year_2040), year_2040 - 4'294'967'296s);  // 1903
    EXPECT_EQ(nearest_to(year_2026, cut(year_2040)), year_2040);
    EXPECT_EQ(nearest_to(year_2040, cut(year_2026)), year_2026);
    EXPECT_EQ(nearest_to(year_2090, cut(year_2040)), year_2040);
    EXPECT_EQ(nearest_to(year_2026, cut(year_2026)), year_2026);
    EXPECT_EQ(nearest_to(year_2026, 0s), 0s);
}

TEST(WireDate, bsd_timed_knows_dates_until_january_2038) {
    EXPECT_TRUE(bsd_understands(year_2026));
    EXPECT_TRUE(bsd_understands(2'147'483'647s));
    EXPECT_FALSE(bsd_understands(2'147'483'648s));
    EXPECT_FALSE(bsd_understands(year_2040));
}

TEST(WireDate, a_difference_has_its_sign) {
    EXPECT_EQ(signed_text(3s), "+3s");
    EXPECT_EQ(signed_text(-1h), "-1h");
}

}  // namespace wire_date_test
}  // namespace conclave::timed
