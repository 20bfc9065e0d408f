// The error bounds of time daemons hold: in every example, and in networks from seeds.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "conclave/simulator/time/time_storm.hpp"

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
        EXPECT_LE(width_at(outcome.bounds, 50), 4 * scenario.path) << entry.path();
    }
}

// time_bounds_soak.cpp tries ten thousand.
TEST(TimeBounds, hold_in_networks_from_seeds) {
    StormSummary all;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) all.add(seed);
    EXPECT_EQ(all.bounds.excursions, 0u) << to_text(all);
    EXPECT_GT(all.bounds.judged, 200'000u);
    EXPECT_LE(width_at(all.bounds, 50), 250us);
    EXPECT_LE(all.doubts.at(9'900), 3ms) << "a bound of an hour would hold always";
    std::uint64_t wrong = 0;
    for (const Excused& excused : all.bounds.excused) wrong += excused.wrong;
    EXPECT_LE(1000 * wrong, all.bounds.judged) << to_text(all);
}

TEST(WidthTally, is_right_to_two_hundredths_and_never_too_small) {
    WidthTally tally;
    for (int i = 1; i <= 1000; ++i) tally.add(i * 1us);
    for (const std::uint32_t share : {10u, 100u, 5'000u, 9'900u, 10'000u}) {
        const Duration exact = share * 100ns;
        EXPECT_GE(tally.at(share), exact) << share;
        EXPECT_LE(tally.at(share), exact + exact / 50) << share;
    }
    EXPECT_EQ(WidthTally{}.at(5'000), 0ns);
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

// It cannot know before it is probed; then it is told within milliseconds.
TEST(TimeRun, a_machine_that_was_paused_trusts_its_clock_for_no_more_than_a_round) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        TimeScenario scenario = example(examples / "slave_paused.toml");
        scenario.world.seed = seed;
        scenario.stops = {{Id{5}, {200s, 204s}, false}};  // too short to be given up
        scenario.world.until = 230s;
        scenario.look = 50ms;
        const TimeOutcome outcome = run_time(scenario);
        const Excused& leapt = outcome.bounds.excused[static_cast<std::size_t>(Excuse::leapt)];
        EXPECT_EQ(outcome.bounds.excursions, 0u) << seed;
        EXPECT_GT(leapt.wrong, 0u) << seed;
        EXPECT_LE(leapt.longest, 1100ms) << seed;
    }
}

TEST(TimeRun, a_date_that_is_set_on_one_node_is_that_of_all_at_once) {
    const TimeOutcome outcome =
        run_time(told("nodes = 5\ndrift = 50\njitter = 'exp:10us'\nwalk = 0.001\nuntil = '120s'\n"
                      "look = '100ms'\ndate = ['2@100s=1h']\n"));
    const Moment& last = outcome.moments.back();
    EXPECT_EQ(outcome.steps, 5u);
    EXPECT_LE(settled_within(outcome, 10us, 100s), 100s + 300ms);
    EXPECT_LE(clock::magnitude(last.mean - outcome.moments[900].mean - 1h), 10ms);
    EXPECT_EQ(outcome.bounds.excursions, 0u);
}

// The raw clock lacks the minute, and what people see does not: that must not be corrected.
TEST(TimeRun, a_clock_that_slept_is_not_dragged_away) {
    const TimeOutcome outcome = run_time(example(examples / "slave_sleeps.toml"));
    EXPECT_EQ(outcome.steps, 0u);
    Duration worst{};
    for (const Moment& moment : outcome.moments)
        if (moment.at > 261s)
            worst = std::max(worst, clock::magnitude(moment.offsets[4] - moment.offsets[0]));
    EXPECT_LE(worst, 10ms);
}

// Nobody may stand then, for no clock is known to be right; and somebody must.
TEST(TimeRun, a_network_whose_clocks_all_slept_or_were_set_finds_together_within_60_s) {
    const TimeScenario sleeping = example(examples / "all_sleep.toml");
    TimeScenario set = sleeping;
    set.stops.clear();
    for (std::uint32_t id = 1; id <= 5; ++id)
        set.jumps.push_back({Id{id}, 250s + id * 1s, id < 4 ? 10s : Duration{-10s}});
    for (const TimeScenario& scenario : {sleeping, set}) {
        const TimeOutcome outcome = run_time(scenario);
        EXPECT_LE(settled_within(outcome, 1ms, 256s), 320s);
        EXPECT_EQ(outcome.bounds.excursions, 0u);
        EXPECT_LE(clock::magnitude(outcome.moments.back().mean - outcome.moments[1900].mean -
                                   (scenario.stops.empty() ? 10s : 0s)),
                  1s)
            << "as most clocks say";
        EXPECT_EQ(outcome.takeovers.size(), 2u);
    }
    EXPECT_EQ(run_time(sleeping).steps, 0u);
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
        "suspend = ['1@2s..5s']\nfreeze = ['2@3s..4s']\njump = ['3@1s=-1h']\ndate = ['4@6s=1h']\n"
        "step = '128ms:3:forward'\nslew-limit = 500");
    EXPECT_EQ(scenario.stops,
              (std::vector<Stop>{{Id{2}, {3s, 4s}, false}, {Id{1}, {2s, 5s}, true}}));
    EXPECT_EQ(scenario.jumps, (std::vector<Jump>{{Id{3}, 1s, -1h}}));
    EXPECT_EQ(scenario.dates, (std::vector<Jump>{{Id{4}, 6s, 1h}}));
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
