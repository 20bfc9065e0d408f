// Ten thousand networks of clocks from seeds. ./dev soak.
//
// What is left outside is known: machines that are paused while they are master and come back as
// one, and networks that are moved before their time is established (docs/clocks.md). It must not
// become more.
#include <gtest/gtest.h>

#include "conclave/simulator/time_storm.hpp"

namespace conclave::simulator {
namespace time_bounds_soak {

TEST(TimeBounds, hold_in_ten_thousand_networks_but_for_those_that_are_known) {
    StormSummary all;
    for (std::uint64_t seed = 1; seed <= 10'000; ++seed) all.add(seed);
    EXPECT_LE(all.failing.size(), 60u) << to_text(all);
    EXPECT_GT(all.bounds.judged, 10'000'000u);
}

}  // namespace time_bounds_soak
}  // namespace conclave::simulator
