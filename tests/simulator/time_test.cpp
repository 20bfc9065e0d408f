// Networks of time daemons: oscillators, the words of a scenario, and whole runs.
#include "conclave/simulator/time/time_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conclave/simulator/time/oscillator.hpp"

namespace conclave::simulator {
namespace time_test {

using namespace std::chrono_literals;
using testing::HasSubstr;

TimeScenario told(std::string_view words) {
    TimeScenario scenario = usual_time_scenario();
    EXPECT_EQ(read_time_scenario(scenario, words, "test.toml"), "");
    EXPECT_THAT(validate_time(scenario), testing::IsEmpty());
    return scenario;
}
std::string refusal(std::string_view words) {
    TimeScenario scenario = usual_time_scenario();
    return read_time_scenario(scenario, words, "test.toml");
}

TEST(Oscillator, runs_at_its_rate_and_breaks_down_when_told) {
    const TimeScenario scenario =
        told("clock = ['1=5ms:10']\nbreak = ['1@10s=500ppm', '1@20s=-3ms/10s']");
    const Decisions decisions(1);
    Oscillator oscillator(Id{1}, scenario, decisions);
    EXPECT_EQ(oscillator.read(0s), 5ms);
    EXPECT_EQ(oscillator.read(10s), 10s + 5ms + 100us);
    EXPECT_EQ(oscillator.read(11s), 11s + 5ms + 610us);
    const Time before = oscillator.read(20s - 1us);
    EXPECT_NEAR(static_cast<double>((oscillator.read(20s) - before).count()), -3e6 + 1000, 10);
    EXPECT_NEAR(static_cast<double>((oscillator.read(45s) - 45s).count()),
                5e6 + 450e3 + 17'500e3 - 9e6, 10);
}

TEST(Oscillator, its_walk_has_the_deviation_that_was_asked_for) {
    const TimeScenario scenario = told("walk = 0.001");
    double squares = 0;
    for (std::uint32_t id = 1; id <= 400; ++id) {
        const Decisions decisions(id);
        Oscillator oscillator(Id{1}, scenario, decisions);
        oscillator.read(100s);
        const auto ppt = static_cast<double>(oscillator.rate().ppt);
        squares += ppt * ppt;
    }
    EXPECT_NEAR(std::sqrt(squares / 400), 1000 * 10, 1000);
}

TEST(Oscillator, swings_up_and_down_by_what_was_asked_for) {
    const TimeScenario scenario = told("swing = '2/100s'");
    const Decisions decisions(1);
    Oscillator oscillator(Id{1}, scenario, decisions);
    clock::Rate low, high;
    for (int s = 0; s < 200; ++s) {
        oscillator.read(s * 1s);
        low = std::min(low, oscillator.rate());
        high = std::max(high, oscillator.rate());
    }
    EXPECT_NEAR(static_cast<double>(high.ppt), 2e6, 2e4);
    EXPECT_NEAR(static_cast<double>(low.ppt), -2e6, 2e4);
}

TEST(TimeWords, what_makes_no_sense_is_refused_with_its_place_and_a_remedy) {
    EXPECT_EQ(refusal("jitter = 'pareto:1us'"),
              "test.toml:1:10: jitter cannot be 'pareto:1us': give "
              "none|exp:DURATION|uniform:DURATION|gauss:DURATION|burst:DURATION|one-way:DURATION, "
              "such as exp:10us");
    EXPECT_THAT(refusal("jiter = 'exp:1us'"), HasSubstr("did you mean jitter?"));
    EXPECT_THAT(refusal("delay = '1ms'"), HasSubstr("give path and jitter"));
    EXPECT_THAT(refusal("break = ['3@1s=fast']"), HasSubstr("such as 3@5min=500ppm"));
    EXPECT_THAT(refusal("window = 5"), HasSubstr("window cannot be '5'"));
    EXPECT_THAT(refusal("probe = '0s'"), HasSubstr("probe cannot be '0s'"));
    TimeScenario scenario = usual_time_scenario();
    scenario.breakdowns = {{Id{9}, 1s}};
    EXPECT_THAT(validate_time(scenario), testing::ElementsAre("break names node 9: give 1 to 5"));
}

TEST(TimeWords, each_example_is_accepted) {
    time_table().for_each([](const options::Option<TimeScenario>& word) {
        TimeScenario scenario = usual_time_scenario();
        EXPECT_TRUE(word.read(scenario, word.example)) << word.name;
        TimeScenario again = usual_time_scenario();
        EXPECT_EQ(read_time_scenario(again, to_toml(scenario), "again.toml"), "") << word.name;
        EXPECT_EQ(to_toml(again), to_toml(scenario)) << word.name;
    });
}

constexpr std::string_view five = "nodes = 5\ndrift = 50\njitter = 'exp:10us'\nwalk = 0.001\n";

TEST(TimeRun, same_seed_same_clocks) {
    const TimeScenario scenario = told(std::string(five) + "until = '60s'");
    EXPECT_EQ(to_json(scenario, run_time(scenario)), to_json(scenario, run_time(scenario)));
}

TEST(TimeRun, a_constant_symmetric_delay_of_any_size_adds_no_error) {
    for (const char* path : {"1us", "1ms", "4ms"}) {
        const TimeScenario scenario =
            told("drift = 50\nuntil = '60s'\nscore = '20s'\nset = ['candidate=20ms']\npath = '" +
                 std::string(path) + "'");
        EXPECT_LE(widest_spread(run_time(scenario), 20s), 400ns) << path;
    }
}

TEST(TimeRun, an_asymmetric_path_is_an_error_of_half_the_difference) {
    const TimeScenario scenario =
        told("nodes = 2\nlag = ['1>2=40us']\nuntil = '60s'\nscore = '20s'");
    EXPECT_NEAR(static_cast<double>(widest_spread(run_time(scenario), 20s).count()), 20e3, 300);
}

TEST(TimeRun, a_network_of_one_keeps_its_own_time) {
    const TimeOutcome outcome = run_time(told("nodes = 1\nuntil = '10s'"));
    EXPECT_EQ(outcome.takeovers.size(), 1u);
    EXPECT_EQ(outcome.moments.back().offsets[0], 0ns);
}

TEST(TimeRun, a_restarted_node_is_set_again_before_it_counts) {
    const TimeScenario scenario = told(
        std::string(five) +
        "offset = '1s'\nuntil = '60s'\ncrash = ['5@30s']\nrecover = ['5@40s']\nlook = '100ms'");
    const TimeOutcome outcome = run_time(scenario);
    EXPECT_LE(widest_spread(outcome, 5s), 100us);
    EXPECT_EQ(outcome.moments.back().judged, 5u);
    EXPECT_EQ(outcome.steps, 0u);
}

TEST(TimeRun, the_paper_s_way_follows_the_mean_of_the_clocks_that_agree) {
    const TimeScenario scenario = told(
        "nodes = 5\nclock = ['1=1ms:0', '2=2ms:0', '3=3ms:0', '4=4ms:0', '5=2h:0']\n"
        "keeping = 'paper'\ninterval = '20ms'\nstep = '1s'\n"
        "probe = '5s'\nuntil = '60s'");
    const Moment last = run_time(scenario).moments.back();
    EXPECT_LE(last.spread, 10us);
    EXPECT_NEAR(static_cast<double>(last.mean.count()), 2.5e6, 10e3);
}

}  // namespace time_test
}  // namespace conclave::simulator
