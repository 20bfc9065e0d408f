// A master whose clock goes wrong takes nobody along. All 100 seeds are in bad_masters_soak.cpp.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "conclave/simulator/time/time_campaign.hpp"

namespace conclave::simulator {
namespace bad_masters_test {

using namespace std::chrono_literals;

TEST(BadMasters, resign_and_take_nobody_along) {
    // Every kind with both signs; in the latter half the successor crashes.
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        const BadMasterOutcome outcome = run_bad_master(draw_bad_master(seed));
        EXPECT_LE(outcome.rate_change_ppm, 0.5) << seed;
        EXPECT_TRUE(outcome.resigned) << seed;
        EXPECT_GE(outcome.in_place, 60s) << seed << ": before it is master again";
        EXPECT_EQ(outcome.excursions, 0u) << seed;
        EXPECT_GT(outcome.judged, 5000u) << seed;
    }
}

Moment last_moment(const std::string& name) {
    std::ifstream file("examples/clocks/" + name + ".toml");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    TimeScenario scenario = usual_time_scenario();
    EXPECT_EQ(read_time_scenario(scenario, text, name), "");
    return run_time(scenario).moments.back();
}

TEST(LoneFounder, that_is_an_hour_wrong_is_outvoted_by_those_who_come_later) {
    const Moment last = last_moment("lone_founder");
    EXPECT_LE(clock::magnitude(last.mean), 100ms);
    EXPECT_LE(last.spread, 10us);
}

TEST(LoneFounder, wiped_machines_do_not_outvote_an_established_time) {
    const Moment last = last_moment("wiped_majority");
    EXPECT_LE(clock::magnitude(last.mean), 100ms);
    EXPECT_LE(last.spread, 10us);
}

}  // namespace bad_masters_test
}  // namespace conclave::simulator
