// How well clocks are kept together: the scenarios of examples/clocks, against their goals.
// Usage: bench_clock [SEEDS]
//
// Each figure is the worst over the seeds, but an rms is their mean. Then what a master's work
// costs with a thousand to ten thousand slaves.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "conclave/simulator/time/time_run.hpp"

namespace {

using namespace conclave;
using namespace conclave::simulator;
using namespace std::chrono_literals;

std::uint64_t seeds = 5;
constexpr std::uint64_t first_seed = 1000;  // the estimators were tuned by looking at lower ones

TimeScenario read_example(const std::string& name, std::uint64_t seed) {
    const std::string path = "examples/clocks/" + name + ".toml";
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    TimeScenario scenario = usual_time_scenario();
    const std::string problem = read_time_scenario(scenario, text, path);
    if (text.empty() || !problem.empty()) {
        std::fprintf(stderr, "%s cannot be used: %s\n", path.c_str(), problem.c_str());
        std::exit(2);
    }
    scenario.world.seed = first_seed + seed;
    return scenario;
}

double in_us(Duration value) { return static_cast<double>(value.count()) / 1e3; }

void print(const std::string& name, const std::string& metric, double value) {
    std::printf("bench,%s,%s,%.4g\n", name.c_str(), metric.c_str(), value);
    std::fflush(stdout);
}

double mean_rms(const std::string& name, const std::function<void(TimeScenario&)>& change) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        TimeScenario scenario = read_example(name, seed);
        if (change) change(scenario);
        sum += rms_deviation(run_time(scenario), scenario.score) / 1e3;
    }
    return sum / static_cast<double>(seeds);
}

void bench_rms(const std::string& name, double goal) {
    print(name, "rms_us", mean_rms(name, {}));
    print(name, "goal_us", goal);
}

// Against least squares with whichever window turns out best in hindsight.
void bench_shape(const std::string& name) {
    const double ours = mean_rms(name, {});
    double best = 1e9;
    for (const std::uint32_t window : {16u, 32u, 64u, 128u, 256u})
        best = std::min(best, mean_rms(name, [&](TimeScenario& scenario) {
                            scenario.estimator = {clock::Method::least_squares, window};
                        }));
    print(name, "rms_us", ours);
    print(name, "least_squares_us", best);
    print(name, "accuracy_ratio", best / ours);
}

// The greatest rate, over 10 s, at which the mean of the good clocks left its course after `at`.
double rate_change(const TimeOutcome& outcome, Time at) {
    const auto mean_at = [&](Time time) {
        for (const Moment& moment : outcome.moments)
            if (moment.at >= time) return in_us(moment.mean);
        return in_us(outcome.moments.back().mean);
    };
    const double usual = (mean_at(at - 1s) - mean_at(at - 51s)) / 50;
    double most = 0;
    for (Time time = at + 1s; time + 10s <= outcome.moments.back().at; time += 1s)
        most = std::max(most, std::abs((mean_at(time + 10s) - mean_at(time)) / 10 - usual));
    return most;
}

void bench_broken_leader(const std::string& name) {
    double rate = 0, spread = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        TimeScenario scenario = read_example(name, seed);
        const Time at = scenario.breakdowns[0].at;
        // Whoever leads is to break.
        TimeScenario sound = scenario;
        sound.breakdowns.clear();
        sound.world.until = 100s;
        sound.score = 0s;
        scenario.breakdowns[0].node = run_time(sound).takeovers.back().master;
        const TimeOutcome outcome = run_time(scenario);
        rate = std::max(rate, rate_change(outcome, at));
        spread = std::max(spread, in_us(widest_spread(outcome, at)));
    }
    print(name, "rate_change_ppm", rate);
    print(name, "spread_us", spread);
}

// The network's time in the end, with and without the breakdown.
void bench_broken_slave(const std::string& name) {
    double moved = 0, spread = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        TimeScenario scenario = read_example(name, seed);
        TimeScenario sound = scenario;
        sound.breakdowns.clear();
        const TimeOutcome broken = run_time(scenario), whole = run_time(sound);
        if (whole.takeovers.back().master == scenario.breakdowns[0].node) continue;  // it leads
        for (std::size_t i = 0; i < broken.moments.size(); ++i) {
            double apart = 0, count = 0;
            for (std::size_t node = 0; node < broken.moments[i].offsets.size(); ++node) {
                const Duration with = broken.moments[i].offsets[node],
                               without = whole.moments[i].offsets[node];
                if (Id{static_cast<std::uint32_t>(node) + 1} == scenario.breakdowns[0].node ||
                    with == absent || without == absent)
                    continue;
                apart += in_us(with - without);
                ++count;
            }
            if (count > 0) moved = std::max(moved, std::abs(apart / count));
        }
        spread = std::max(spread, in_us(widest_spread(broken, scenario.score)));
    }
    print(name, "displaced_us", moved);
    print(name, "spread_us", spread);
}

void bench_changes() {
    double near = 0, nearer = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const TimeOutcome outcome = run_time(read_example("convergence", seed));
        const auto at = [&](Duration spread) {
            const Time time = settled_within(outcome, spread);
            return time == never ? 1e9 : in_us(time) / 1e6;
        };
        near = std::max(near, at(100us));
        nearer = std::max(nearer, at(10us));
    }
    print("convergence", "within_100us_s", near);
    print("convergence", "within_10us_s", nearer);

    double wait = 0, peak = 0, masters = 0;
    for (std::uint64_t seed = 1; seed <= 10 * seeds; ++seed) {
        TimeScenario scenario = read_example("leader_lost", seed);
        TimeScenario sound = scenario;
        sound.world.crashes.clear();
        sound.world.until = 100s;
        sound.score = 0s;
        scenario.world.crashes[0].node = run_time(sound).takeovers.back().master;
        const TimeOutcome outcome = run_time(scenario);
        wait = std::max(wait, in_us(outcome.takeovers.back().at - 200s) / 1e6);
        peak = std::max(peak, in_us(widest_spread(outcome, 200s)));
        masters = std::max(masters, static_cast<double>(most_masters(outcome, 100s)));
    }
    print("leader_lost", "replaced_after_s", wait);
    print("leader_lost", "spread_us", peak);
    print("leader_lost", "masters_at_once", masters);

    double healed = 0, steps = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const TimeOutcome outcome = run_time(read_example("partition", seed));
        const Time at = settled_within(outcome, 10us, 2000s);
        healed = std::max(healed, at == never ? 1e9 : in_us(at - 2000s) / 1e6);
        steps += static_cast<double>(outcome.steps);
    }
    print("partition", "healed_after_s", healed);
    print("partition", "steps", steps);
}

void bench_packets() {
    TimeScenario scenario = read_example("jitter_10us", 1);
    const TimeOutcome outcome = run_time(scenario);
    print("packets", "per_slave_and_round",
          static_cast<double>(outcome.packets) / static_cast<double>(outcome.slave_seconds));
}

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A master alone, with so many slaves, for a minute after a minute: CPU for each probe answered.
void bench_slaves(std::uint32_t count) {
    clock::Keeper keeper;
    clock::Master master(Id{1}, 0s, keeper);
    clock::Report report{.set = true, .rate = {}, .knows_rate = true};
    std::uint64_t bits = 1, work = 0;
    double began = 0;
    for (int second = 0; second < 80; ++second) {
        if (second == 70) began = cpu_seconds();
        const Time now = second * 1s;
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto jitter = [&] {
                bits = bits * 6364136223846793005 + 1442695040888963407;
                return Duration{static_cast<std::int64_t>(bits >> 50)};  // up to 16 us
            };
            const Duration there = 50us + jitter(), back = 50us + jitter();
            const Time at = now + i * (1s / count);
            const Id slave{i + 2};
            work += master.correction_for(slave, at) ? 1 : 0;
            master.learn(slave, {at, at + there, at + there, at + there + back}, report);
        }
        master.decide(now + 999ms, keeper);
        if (master.founded()) keeper.lead(now + 999ms, master.own_correction(now + 999ms));
    }
    print("slaves-" + std::to_string(count), "us_per_slave_and_round",
          (cpu_seconds() - began) * 1e6 / 10 / count);
    if (work == 0) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2) seeds = static_cast<std::uint64_t>(std::max(std::atoi(argv[1]), 1));
    bench_rms("jitter_10us", 0.38);
    bench_rms("jitter_100us", 3.3);
    bench_rms("loss", 0.42);
    bench_rms("eight_probes", 0.12);
    for (const char* name : {"gaussian", "one_way", "bursts", "swing"}) bench_shape(name);
    bench_packets();
    bench_changes();
    bench_broken_leader("leader_drifts");
    bench_broken_leader("leader_steps");
    bench_broken_slave("slave_drifts");
    bench_broken_slave("slave_steps");
    for (const std::uint32_t count : {100u, 1000u, 10'000u}) bench_slaves(count);
}
