// conclave timed sim: a network of time daemons in imaginary time.
#include <cstdio>
#include <fstream>

#include "conclave/claims/plot.hpp"
#include "conclave/cli/terminal.hpp"
#include "conclave/core/text.hpp"
#include "conclave/lab/lab_verbs.hpp"
#include "conclave/lab/seed_range.hpp"
#include "conclave/lab/sketch.hpp"
#include "conclave/options/toml_file.hpp"
#include "conclave/simulator/time/time_storm.hpp"

namespace conclave::cli {

namespace {

using namespace std::chrono_literals;
using simulator::Moment;
using simulator::TimeOutcome;
using simulator::TimeScenario;

struct TimedSimGiven {
    std::vector<std::string> scenarios{};
    std::string svg{};
    std::optional<std::uint64_t> seed{};
    std::optional<Duration> until{};
    std::optional<simulator::Seeds> seeds{};
    bool json = false, random = false;
};
constexpr options::Option<TimedSimGiven> timed_sim_options[] = {
    options::arguments<&TimedSimGiven::scenarios>("SCENARIO",
                                                  "file that describes clocks, network and faults"),
    options::once<&TimedSimGiven::seed, options::Seed>("seed", "seed of all random choices",
                                                       "the scenario's"),
    options::once<&TimedSimGiven::until, options::Span<1>>("until", "end of the run",
                                                           "the scenario's")
        .called("TIME"),
    options::flag<&TimedSimGiven::random>(
        "random", "run random scenarios instead, and check that all error bounds hold"),
    options::once<&TimedSimGiven::seeds, SeedRange>(
        "seeds", "seeds of random scenarios; N..N shows one of them in full", "1..100"),
    options::once<&TimedSimGiven::svg, options::Path>("svg", "draw the offsets against time")
        .with(options::Hint::file),
    options::flag<&TimedSimGiven::json>("json", "print JSON, for programs"),
};
constexpr options::OptionGroup<TimedSimGiven> timed_sim_groups[] = {{"", timed_sim_options}};

constexpr std::size_t drawn_most = 400;  // points of a curve
constexpr std::size_t curves_most = 9;

TimeScenario read_scenario(const TimedSimGiven& given) {
    if (given.scenarios.size() != 1)
        throw Refusal{"timed sim has " + std::to_string(given.scenarios.size()) +
                      " scenarios: give one, such as examples/clocks/jitter_10us.toml"};
    const std::string& path = given.scenarios.front();
    std::string problem;
    const std::string text = options::read_file(path, "the scenario", problem);
    refuse_if(problem);
    TimeScenario scenario = simulator::usual_time_scenario();
    refuse_if(read_time_scenario(scenario, text, path));
    scenario.world.seed = given.seed.value_or(scenario.world.seed);
    if (given.until) scenario.world.until = *given.until;
    if (const auto problems = validate_time(scenario); !problems.empty())
        throw Refusal{problems.front()};
    return scenario;
}

double seconds(Duration value) { return static_cast<double>(value.count()) / 1e9; }
double microseconds(Duration value) { return static_cast<double>(value.count()) / 1e3; }

// How far each of the first clocks was from the mean, from when they are judged.
std::vector<std::vector<std::pair<double, double>>> deviations(const TimeScenario& scenario,
                                                               const TimeOutcome& outcome) {
    std::vector<const Moment*> judged;
    for (const Moment& moment : outcome.moments)
        if (moment.at >= scenario.score && moment.judged != 0) judged.push_back(&moment);
    std::vector<std::vector<std::pair<double, double>>> curves(
        std::min<std::size_t>(scenario.world.nodes, curves_most));
    const std::size_t step = 1 + judged.size() / drawn_most;
    for (std::size_t i = 0; i < judged.size(); i += step)
        for (std::size_t node = 0; node < curves.size(); ++node)
            if (const Duration offset = judged[i]->offsets[node]; offset != simulator::absent)
                curves[node].emplace_back(seconds(judged[i]->at),
                                          microseconds(offset - judged[i]->mean));
    return curves;
}

void write_svg(const std::string& path, const TimeScenario& scenario, const TimeOutcome& outcome) {
    claims::Plot plot{.title = "Clocks against the mean of the good ones",
                      .x_axis = "time, s",
                      .y_axis = "offset, us",
                      .log_x = false,
                      .log_y = false,
                      .series = {}};
    std::uint32_t id = 0;
    for (auto& points : deviations(scenario, outcome))
        plot.series.push_back({"node " + std::to_string(++id), std::move(points), false});
    for (const simulator::Crash& crash : scenario.world.crashes)
        plot.marks.emplace_back(seconds(crash.at), "node " + text(crash.node) + " crashes");
    std::ofstream file(path, std::ios::binary);
    if (!(file << claims::to_svg(plot)))
        throw Refusal{"--svg '" + path + "' cannot be written: give a file that can"};
}

void print_report(const TimeScenario& scenario, const TimeOutcome& outcome) {
    constexpr std::size_t told_most = 30;
    for (std::size_t i = 0; i < outcome.story.size() && i < told_most; ++i)
        std::printf("%s\n", outcome.story[i].c_str());
    if (outcome.story.size() > told_most)
        std::printf("... and %zu more: --json tells all\n", outcome.story.size() - told_most);
    std::vector<Curve> curves;
    for (auto& points : deviations(scenario, outcome))
        curves.push_back({static_cast<char>('1' + curves.size()), std::move(points)});
    std::printf("\noffset of each node from the mean of the good clocks\n%s\n",
                sketch(curves, terminal_width(), 16, "us").c_str());
    const auto settled = [&](Duration spread) {
        const Time at = settled_within(outcome, spread);
        return at == never ? std::string("never") : format_duration(at);
    };
    std::printf("rms %.3f us and spread at most %.3f us from %s on\n",
                rms_deviation(outcome, scenario.score) / 1e3,
                microseconds(widest_spread(outcome, scenario.score)),
                format_duration(scenario.score).c_str());
    std::printf("within 100 us of each other from %s, within 10 us from %s\n",
                settled(100us).c_str(), settled(10us).c_str());
    std::printf(
        "error bounds: %llu of %llu looks outside; width %.1f us at the median, %.1f at p99\n",
        static_cast<unsigned long long>(outcome.bounds.excursions),
        static_cast<unsigned long long>(outcome.bounds.judged),
        microseconds(width_at(outcome.bounds, 50)), microseconds(width_at(outcome.bounds, 99)));
    std::printf("%zu times a master took over, %u at once at most; %llu packets\n",
                outcome.takeovers.size(), most_masters(outcome),
                static_cast<unsigned long long>(outcome.packets));
}

int report_bounds(const TimeScenario& scenario, const TimeOutcome& outcome) {
    print_report(scenario, outcome);
    return outcome.bounds.excursions == 0 ? Exit::yes : Exit::no;
}

// Scenarios from seeds: do the error bounds hold? Names the seeds where they do not; of one seed
// alone it shows the scenario, as a file, and what happened.
int run_random(const TimedSimGiven& given) {
    if (!given.scenarios.empty() || given.seed || given.until || !given.svg.empty())
        throw Refusal{"--random makes its own scenarios: give --seeds and --json only"};
    const auto [first, last] = given.seeds.value_or(simulator::Seeds{1, 100});
    if (last - first >= 1'000'000)
        throw Refusal{"--seeds cannot be '" + SeedRange::write({first, last}) +
                      "': give at most a million of them"};
    if (first == last && !given.json) {
        const TimeScenario scenario = simulator::random_time_scenario(first);
        std::printf("%s\n", to_toml(scenario).c_str());
        return report_bounds(scenario, run_time(scenario));
    }
    simulator::StormSummary all;
    for (std::uint64_t seed = first; seed <= last; ++seed) all.add(seed);
    std::printf(given.json ? "%s\n" : "%s", (given.json ? to_json(all) : to_text(all)).c_str());
    return all.bounds.excursions == 0 ? Exit::yes : Exit::no;
}

int run(const TimedSimGiven& given) {
    if (given.random) return run_random(given);
    if (given.seeds) throw Refusal{"--seeds is for --random: give --seed"};
    const TimeScenario scenario = read_scenario(given);
    const TimeOutcome outcome = run_time(scenario);
    if (!given.svg.empty()) write_svg(given.svg, scenario, outcome);
    if (given.json)
        std::fputs(to_json(scenario, outcome).c_str(), stdout);
    else
        print_report(scenario, outcome);
    return Exit::yes;
}

}  // namespace

Verb timed_sim_verb() {
    return make_verb({timed_sim_in_laboratory.name,
                      timed_sim_in_laboratory.purpose,
                      {"conclave timed sim examples/clocks/leader_lost.toml",
                       "conclave timed sim examples/clocks/convergence.toml --seed 7 --json",
                       "conclave timed sim --random --seeds 1..1000"},
                      timed_sim_in_laboratory.typed},
                     options::Table<TimedSimGiven>(timed_sim_groups), run);
}

}  // namespace conclave::cli
