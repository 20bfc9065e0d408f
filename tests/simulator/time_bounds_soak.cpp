// Ten thousand networks of clocks from seeds. ./dev soak.
#include <gtest/gtest.h>

#include "conclave/simulator/time/time_storm.hpp"

namespace conclave::simulator {
namespace time_bounds_soak {

TEST(TimeBounds, hold_in_ten_thousand_networks) {
    StormSummary all;
    for (std::uint64_t seed = 1; seed <= 10'000; ++seed) all.add(seed);
    EXPECT_EQ(all.failing.size(), 0u) << to_text(all);
    EXPECT_GT(all.bounds.judged, 10'000'000u);
}

}  // namespace time_bounds_soak
}  // namespace conclave::simulator
