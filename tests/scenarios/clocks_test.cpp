// The scenarios of examples/clocks reach their goals. ./dev bench clock measures over more seeds.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "conclave/simulator/time/time_run.hpp"

namespace conclave::simulator {
namespace clocks_test {

using namespace std::chrono_literals;

TimeScenario read_example(const std::string& name) {
    const std::string path = "examples/clocks/" + name + ".toml";
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    TimeScenario scenario = usual_time_scenario();
    EXPECT_NE(text, "") << path;
    EXPECT_EQ(read_time_scenario(scenario, text, path), "");
    EXPECT_EQ(validate_time(scenario).size(), 0u);
    return scenario;
}

double rms_us(const TimeScenario& scenario) {
    return rms_deviation(run_time(scenario), scenario.score) / 1e3;
}
double in_us(Duration value) { return static_cast<double>(value.count()) / 1e3; }

TEST(ClockExamples, all_can_be_read) {
    for (const auto& entry : std::filesystem::directory_iterator("examples/clocks"))
        read_example(entry.path().stem());
}

TEST(ClockExamples, ten_microseconds_of_jitter_leave_0_38_us) {
    EXPECT_LE(rms_us(read_example("jitter_10us")), 0.38);
}
TEST(ClockExamples, a_hundred_microseconds_of_jitter_leave_3_3_us) {
    EXPECT_LE(rms_us(read_example("jitter_100us")), 3.3);
}
TEST(ClockExamples, one_packet_lost_in_twenty_leaves_0_42_us) {
    EXPECT_LE(rms_us(read_example("loss")), 0.42);
}
TEST(ClockExamples, eight_probes_a_second_leave_0_12_us) {
    TimeScenario scenario = read_example("eight_probes");
    scenario.world.until = 400s;
    scenario.score = 100s;
    EXPECT_LE(rms_us(scenario), 0.12);
}

TEST(ClockExamples, a_round_takes_two_packets_for_each_slave) {
    const TimeOutcome outcome = run_time(read_example("jitter_10us"));
    EXPECT_LE(static_cast<double>(outcome.packets),
              2.2 * static_cast<double>(outcome.slave_seconds));
}

// Nine tenths as good as least squares with the window that suits the scenario best.
TEST(ClockExamples, no_shape_of_noise_is_a_cliff) {
    const std::pair<const char*, std::uint32_t> best[] = {
        {"gaussian", 256}, {"one_way", 128}, {"bursts", 256}, {"swing", 32}};
    for (const auto& [name, window] : best) {
        TimeScenario scenario = read_example(name);
        const double ours = rms_us(scenario);
        scenario.estimator = {clock::Method::least_squares, window};
        EXPECT_LE(0.9 * ours, rms_us(scenario)) << name;
    }
}

// So many of all clocks, in hundredths, are no further from the mean.
double share_within(const TimeOutcome& outcome, Time from, double us) {
    double within = 0, all = 0;
    for (const Moment& moment : outcome.moments)
        for (const Duration offset : moment.offsets) {
            if (moment.at < from || offset == absent) continue;
            ++all;
            within += in_us(clock::magnitude(offset - moment.mean)) <= us ? 1 : 0;
        }
    return 100 * within / all;
}

// The envelope is not left for least squares by chance, which then err by 45 us for a minute.
TEST(ClockExamples, queues_in_one_direction_leave_99_in_100_clocks_within_18_us) {
    TimeScenario scenario = read_example("one_way_100us");
    for (const std::uint64_t seed : {1u, 2u, 5u}) {  // in the last one chance tried hardest
        scenario.world.seed = seed;
        EXPECT_GE(share_within(run_time(scenario), scenario.score, 18), 99) << seed;
    }
}

TEST(ClockExamples, three_packets_in_ten_are_lost_and_nobody_takes_over) {
    TimeScenario scenario = read_example("heavy_loss");
    scenario.world.until = 3000s;
    const TimeOutcome outcome = run_time(scenario);
    EXPECT_LE(rms_deviation(outcome, scenario.score) / 1e3, 0.80);
    EXPECT_EQ(most_masters(outcome, 100s), 1u);
    EXPECT_LT(outcome.takeovers.back().at, 100s);
    EXPECT_LE(static_cast<double>(outcome.packets),
              3.0 * static_cast<double>(outcome.slave_seconds));
}

TEST(ClockExamples, a_path_that_changes_is_not_taken_for_a_clock) {
    const TimeScenario scenario = read_example("reroute");
    const TimeOutcome outcome = run_time(scenario);
    EXPECT_EQ(outcome.takeovers.size(), 1u) << "nobody resigns";
    EXPECT_EQ(share_within(outcome, scenario.score, 56), 100);
    EXPECT_LE(widest_spread(outcome, scenario.score), 10us);
}

TEST(ClockExamples, a_cold_start_is_over_in_seconds) {
    const TimeOutcome outcome = run_time(read_example("convergence"));
    EXPECT_LE(settled_within(outcome, 100us), 5s);
    EXPECT_LE(settled_within(outcome, 10us), 15s);
}

TEST(ClockExamples, a_lost_leader_is_replaced_and_nobody_notices) {
    const TimeOutcome outcome = run_time(read_example("leader_lost"));
    ASSERT_EQ(outcome.takeovers.size(), 2u);
    EXPECT_EQ(outcome.takeovers[0].master, Id{3}) << "the one that the scenario lets crash";
    EXPECT_LE(outcome.takeovers[1].at, 205s);
    EXPECT_EQ(most_masters(outcome), 1u);
    EXPECT_LE(widest_spread(outcome, 200s), 5us);
    for (const Moment& moment : outcome.moments)
        for (const std::size_t other : {0u, 1u, 3u, 4u})
            if (moment.at > 190s) {
                EXPECT_NE(moment.bounds[other], absent)
                    << "a hand-over is no reason to doubt node " << other + 1 << " at "
                    << format_duration(moment.at);
            }
}

// chrony's clocks are 5.4 us from their mean at the best: the scenario of ./dev bench clock_faults.
TEST(ClockExamples, a_lost_leader_moves_nobody_half_as_far_as_it_does_with_chrony) {
    TimeScenario scenario = usual_time_scenario();
    EXPECT_EQ(read_time_scenario(
                  scenario,
                  "nodes = 5\nclock = ['1=0s:12', '2=0s:-31', '3=0s:24', '4=0s:-47', '5=0s:8']\n"
                  "walk = 0.001\njitter = 'exp:10us'\nstart = ['2@2s', '3@3s', '4@4s', '5@5s']\n"
                  "crash = ['1@1500s']\nscore = '1400s'\nuntil = '1700s'\n",
                  "leader lost"),
              "");
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        scenario.world.seed = seed;
        const TimeOutcome outcome = run_time(scenario);
        EXPECT_EQ(outcome.takeovers.size(), 2u) << seed;
        EXPECT_EQ(share_within(outcome, scenario.score, 0.5 * 5.4), 100) << seed;
    }
}

TEST(ClockExamples, a_leader_with_a_bad_clock_resigns_and_drags_nobody_along) {
    for (const char* name : {"leader_drifts", "leader_steps"}) {
        const TimeOutcome outcome = run_time(read_example(name));
        ASSERT_EQ(outcome.takeovers.size(), 2u) << name;
        EXPECT_EQ(outcome.takeovers[0].master, Id{3}) << "the one that the scenario breaks";
        EXPECT_LE(widest_spread(outcome, 200s), 10us) << name;
        const auto mean_at = [&](Time time) {
            for (const Moment& moment : outcome.moments)
                if (moment.at >= time) return in_us(moment.mean);
            return 0.0;
        };
        const double usual = (mean_at(199s) - mean_at(149s)) / 50;
        for (Time time = 201s; time < 280s; time += 1s)
            EXPECT_LE(std::abs((mean_at(time + 10s) - mean_at(time)) / 10 - usual), 0.5)
                << name << " " << format_duration(time);
    }
}

TEST(ClockExamples, a_slave_with_a_bad_clock_moves_the_network_s_time_by_less_than_2_us) {
    for (const char* name : {"slave_drifts", "slave_steps"}) {
        TimeScenario scenario = read_example(name);
        const TimeOutcome broken = run_time(scenario);
        scenario.breakdowns.clear();
        const TimeOutcome sound = run_time(scenario);
        for (std::size_t i = 0; i < broken.moments.size(); ++i)
            for (const std::size_t good : {0u, 1u, 2u, 3u})
                if (sound.moments[i].offsets[good] != absent) {
                    EXPECT_LE(clock::magnitude(broken.moments[i].offsets[good] -
                                               sound.moments[i].offsets[good]),
                              2us)
                        << name << " node " << good + 1;
                }
        EXPECT_LE(clock::magnitude(broken.moments.back().offsets[4] - broken.moments.back().mean),
                  100us)
            << name << ": it is itself corrected";
    }
}

TEST(ClockExamples, a_healed_network_has_one_time_again_in_ten_seconds_without_a_step) {
    const TimeOutcome outcome = run_time(read_example("partition"));
    EXPECT_GT(widest_spread(outcome, 1900s, 2000s), 10us) << "there was something to heal";
    EXPECT_LE(settled_within(outcome, 10us, 2000s), 2010s);
    EXPECT_EQ(outcome.steps, 0u);
}

}  // namespace clocks_test
}  // namespace conclave::simulator
