// A hundred cold starts with a bad master, both signs: 200 to 5000 ppm, changes of rate, raw clocks
// that leap and visible ones that are set by 1 ms to 1 h. In half of them the successor crashes.
#include <gtest/gtest.h>

#include "conclave/simulator/time/time_campaign.hpp"

namespace conclave::simulator {
namespace bad_masters_soak {

using namespace std::chrono_literals;

TEST(BadMasters, a_hundred_of_them_take_nobody_along) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const BadMasterOutcome outcome = run_bad_master(draw_bad_master(seed));
        EXPECT_LE(outcome.rate_change_ppm, 0.5) << seed;
        EXPECT_TRUE(outcome.resigned) << seed;
        EXPECT_GE(outcome.in_place, 60s) << seed << ": before it is master again";
        EXPECT_EQ(outcome.excursions, 0u) << seed;
        EXPECT_GT(outcome.judged, 5000u) << seed;
    }
}

}  // namespace bad_masters_soak
}  // namespace conclave::simulator
