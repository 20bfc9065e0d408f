// The error bounds of time daemons hold: in every example, and in networks from seeds.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "conclave/simulator/time_storm.hpp"

namespace conclave::simulator {
namespace time_bounds_test {

using namespace std::chrono_literals;

TimeScenario told(std::string_view words, const std::string& name = "test.toml") {
    TimeScenario scenario = usual_time_scenario();
    EXPECT_EQ(read_time_scenario(scenario, words, name), "");
    EXPECT_EQ(validate_time(scenario).size(), 0u) << name;
    return scenario;
}
TimeScenario example(const std::filesystem::path& path) {
    std::ifstream file(path);
    return told(std::string{std::istreambuf_iterator<char>(file), {}}, path.filename());
}
const std::filesystem::path examples = "examples/clocks";

TEST(TimeBounds, hold_in_every_example_and_are_no_wider_than_the_path_and_its_noise) {
    for (const auto& entry : std::filesystem::directory_iterator(examples)) {
        TimeScenario scenario = example(entry.path());
        scenario.world.until = std::min<Time>(*scenario.world.until, 3000s);
        scenario.score = std::min<Time>(scenario.score, 50s);
        const TimeOutcome outcome = run_time(scenario);
        EXPECT_GT(outcome.bounds.judged, 500u) << entry.path();
        EXPECT_EQ(outcome.bounds.excursions, 0u) << entry.path();
        EXPECT_LE(width_at(outcome.bounds, 50), 3 * scenario.path) << entry.path();
    }
}

// time_bounds_soak.cpp tries ten thousand.
TEST(TimeBounds, hold_in_networks_from_seeds) {
    StormSummary all;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) all.add(seed);
    EXPECT_EQ(all.bounds.excursions, 0u) << to_text(all);
    EXPECT_GT(all.bounds.judged, 200'000u);
    EXPECT_LE(width_at(all.bounds, 50), 200us);
}

// It still counts those who left it when it goes on, and must not take them along by its count.
TEST(TimeBounds, a_master_that_was_paused_as_a_virtual_machine_moves_nobody) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        TimeScenario scenario = told(
            "nodes = 5\ndrift = 50\nwalk = 0.001\njitter = 'exp:10us'\noffset = '50ms'\n"
            "until = '100s'\nlook = '250ms'");
        scenario.world.seed = seed;
        const Id master = run_time(scenario).takeovers.back().master;
        scenario.world.until = 200s;
        scenario.stops = {{master, {100s, 160s}, false}};
        const TimeOutcome outcome = run_time(scenario);
        EXPECT_EQ(outcome.bounds.excursions, 0u) << seed;
        EXPECT_EQ(outcome.steps, 1u) << seed << ": its own clock";
        EXPECT_EQ(outcome.takeovers.size(), 2u) << seed;
    }
}

TEST(TimeStorm, every_seed_is_a_scenario_that_makes_sense) {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed)
        EXPECT_EQ(validate_time(random_time_scenario(seed)).size(), 0u) << seed;
}

TEST(TimeStorm, every_seed_written_as_a_file_reads_back_as_the_same_run) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const TimeScenario scenario = random_time_scenario(seed);
        const TimeScenario read = told(to_toml(scenario));
        EXPECT_EQ(run_time(read).story, run_time(scenario).story) << to_toml(scenario);
    }
}

// When from this moment on node 5 shows the time that the others show.
Time right_again(const TimeOutcome& outcome, Duration within) {
    Time since = never;
    for (const Moment& moment : outcome.moments) {
        const Duration offset = moment.offsets[4];
        const bool right =
            offset != absent && clock::magnitude(offset - moment.offsets[0]) <= within;
        if (!right) since = never;
        if (right && since == never) since = moment.at;
    }
    return since;
}

TEST(TimeRun, a_clock_that_was_set_slept_or_was_paused_is_right_again_in_60_s) {
    EXPECT_LE(right_again(run_time(example(examples / "slave_jumps.toml")), 1ms), 260s);
    EXPECT_LE(right_again(run_time(example(examples / "slave_sleeps.toml")), 1ms), 320s);
    EXPECT_LE(right_again(run_time(example(examples / "slave_paused.toml")), 1ms), 320s);
}

TEST(TimeRun, a_jump_is_mended_without_a_step_where_none_is_allowed) {
    TimeScenario scenario = example(examples / "slave_jumps.toml");
    scenario.step = *clock::parse_step_policy("first");
    const TimeOutcome outcome = run_time(scenario);
    EXPECT_EQ(outcome.steps, 0u);
    EXPECT_LE(right_again(outcome, 1ms), 260s);
}

TEST(TimeRun, a_node_that_is_cut_off_says_so_by_a_bound_that_grows) {
    const TimeOutcome outcome = run_time(example(examples / "alone.toml"));
    EXPECT_EQ(outcome.bounds.excursions, 0u);
    EXPECT_GT(width_at(outcome.bounds, 99), 1ms);
}

TEST(TimeWords, clocks_stand_still_and_are_set_as_they_are_told_to) {
    const TimeScenario scenario = told(
        "suspend = ['1@2s..5s']\nfreeze = ['2@3s..4s']\njump = ['3@1s=-1h']\n"
        "step = '128ms:3:forward'\nslew-limit = 500");
    EXPECT_EQ(scenario.stops,
              (std::vector<Stop>{{Id{2}, {3s, 4s}, false}, {Id{1}, {2s, 5s}, true}}));
    EXPECT_EQ(scenario.jumps, (std::vector<Jump>{{Id{3}, 1s, -1h}}));
    EXPECT_EQ(scenario.step.corrections, 3u);
    EXPECT_EQ(scenario.slew_limit, clock::ppm(500));
    for (const char* wrong : {"suspend = ['1@2s']", "freeze = ['1@2s..']", "jump = ['3@1s=0s']",
                              "step = 'soon'", "slew-limit = 100001"}) {
        TimeScenario unsaid = usual_time_scenario();
        EXPECT_NE(read_time_scenario(unsaid, wrong, "test.toml"), "") << wrong;
    }
    TimeScenario odd = usual_time_scenario();
    odd.stops = {{Id{9}, {2s, 1s}, true}};
    EXPECT_EQ(validate_time(odd).size(), 2u);
}

}  // namespace time_bounds_test
}  // namespace conclave::simulator
