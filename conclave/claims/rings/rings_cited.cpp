// The papers that Vitányi cites, on the same ring: R6 and R7.
#include "conclave/claims/rings/rings_cited.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "conclave/claims/rings/ring_runs.hpp"
#include "conclave/simulator/campaign/statistics.hpp"

namespace conclave::claims::rings {

using namespace std::chrono_literals;
using simulator::Sample;

// ---------------------------------------------------------------- R6

namespace {

struct Bounded {
    std::string_view algorithm;
    std::uint64_t (*bound)(std::uint64_t nodes, std::uint64_t floor, std::uint64_t ceil);
};
constexpr std::array bounded{
    Bounded{"franklin", [](std::uint64_t n, std::uint64_t floor,
                           std::uint64_t) { return 2 * n * floor + 3 * n; }},
    Bounded{"hirschberg-sinclair", [](std::uint64_t n, std::uint64_t,
                                      std::uint64_t ceil) { return 8 * (n + n * ceil) + n; }},
    Bounded{"dolev-klawe-rodeh", [](std::uint64_t n, std::uint64_t floor, std::uint64_t) {
                return 2 * n * floor + 2 * n;
            }}};

std::string try_bound(const Bounded& entry, const Effort& effort, Tally& tally) {
    double fullest = 0;
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        Cell cell(seed);
        const How order = How(cell.pick(3));
        const bool some = cell.pick(2) != 0;
        const auto nodes = static_cast<std::uint32_t>(1 + cell.draw(130));
        Scenario scenario = ring(entry.algorithm, nodes, Who::all, order, seed);
        if (some) draw_initiators(scenario);
        const Outcome outcome = run_named(scenario);
        const std::uint64_t bound = entry.bound(nodes, log2_floor(nodes), log2_ceil(nodes));
        tally.add(outcome.messages <= bound && elected(outcome, Id{nodes}), scenario, outcome);
        fullest =
            std::max(fullest, static_cast<double>(outcome.messages) / static_cast<double>(bound));
    }
    return std::string(entry.algorithm) + " " + decimal(100 * fullest, 0) + " %";
}

// Means per node: messages and time.
std::pair<Sample, Sample> anonymous_means(std::uint32_t nodes, bool in_step, std::uint64_t runs,
                                          Tally& tally) {
    Sample messages, time;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = ring("itai-rodeh", nodes, Who::all, How::random, seed);
        if (in_step) scenario.settings = {{"timing", "synchronous"}};
        const Outcome outcome = run_named(scenario);
        tally.add(outcome.end == Outcome::End::agreed && outcome.violations.empty(), scenario,
                  outcome);
        messages.add(static_cast<std::int64_t>(outcome.messages));
        time.add(outcome.turnaround / 1us);
    }
    return {messages, time};
}

// The number of phases that Itai and Rodeh's synchronous ring needs on average: with a rivals, k of
// them run with chance C(a,k) (1/a)^k (1-1/a)^(a-k); none repeats the phase, one ends it.
double mean_phases(std::uint32_t rivals) {
    std::vector<double> phases(rivals + 1, 1.0);  // one rival runs for certain
    for (std::uint32_t a = 2; a <= rivals; ++a) {
        double chance = std::pow(1 - 1.0 / a, a), sum = 1, again = chance;
        for (std::uint32_t k = 1; k <= a; ++k) {
            chance *= static_cast<double>(a - k + 1) / k / (a - 1);
            if (k > 1 && k < a) sum += chance * phases[k];
            if (k == a) again += chance;
        }
        phases[a] = sum / (1 - again);
    }
    return phases[rivals];
}

struct Anonymous {
    bool good = true;
    std::string messages{}, expected{}, measured{};
};

Anonymous without_names(const Effort& effort, Tally& tally) {
    Anonymous result;
    for (const std::uint32_t nodes : {10u, 100u, 1000u}) {
        const auto [messages, time] = anonymous_means(nodes, false, effort.runs(1000), tally);
        const auto [few, soon] = anonymous_means(nodes, true, effort.runs(1000), tally);
        const double per_log = messages.mean() / nodes / std::log2(nodes);
        // Waking takes N units and a half, the phases N each, the news N.
        const double phases = mean_phases(nodes), formula = 2 + 0.5 / nodes + phases;
        const double units = soon.mean() / 1000 / nodes, margin = soon.margin() / 1000 / nodes;
        result.good = result.good && per_log <= 2 && phases < std::exp(1.0) &&
                      std::abs(units - formula) <= margin;
        result.messages += " " + decimal(per_log);
        result.expected += " " + decimal(formula);
        result.measured += " " + decimal(units) + " ± " + decimal(margin);
    }
    return result;
}

}  // namespace

Result compare_cited(const Effort& effort) {
    Tally tally;
    std::string measured;
    for (const Bounded& entry : bounded)
        measured += (measured.empty() ? "" : ", ") + try_bound(entry, effort, tally);
    const Anonymous anonymous = without_names(effort, tally);
    Result result = verdict(
        tally,
        "within the bounds; itai-rodeh O(N log N) messages, synchronous units/N" +
            anonymous.expected,
        "",
        "Rings of 1 to 130 nodes in all orders, all or some initiating. Itai-Rodeh at 10, 100 "
        "and 1000 nodes, all of its time counted: waking N units, 2.4 phases of N on average (the "
        "recursion over the number of runners gives the exact mean, below e), the news N; the "
        "99 % intervals contain it.");
    result.measured = tally.text() + "; fullest use of the bound: " + measured +
                      "; itai-rodeh messages/(N log N)" + anonymous.messages +
                      ", synchronous units/N" + anonymous.measured;
    if (!anonymous.good) result.status = Status::fail;
    return result;
}

// ---------------------------------------------------------------- R7

Result pass_all(const Effort& effort) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 30);
        Scenario scenario = ring("le-lann", nodes, Who::all, How::random, seed);
        Outcome outcome = run_named(scenario);
        tally.add(outcome.messages == std::uint64_t{nodes} * nodes && elected(outcome, Id{nodes}),
                  scenario, outcome);
        const std::size_t initiators = draw_initiators(scenario);
        outcome = run_named(scenario);
        const Id best = scenario.initiators.ids.back();
        tally.add(outcome.messages == initiators * nodes && elected(outcome, best), scenario,
                  outcome);
        scenario.settings = {{"filter", "on"}};
        outcome = run_named(scenario);
        scenario.algorithm = "chang-roberts";
        scenario.settings.clear();
        const std::uint64_t filtered = sent(run_named(scenario), "Election");
        tally.add(outcome.messages == filtered && outcome.leader == Id{nodes}, scenario, outcome);
    }
    return verdict(tally, "N*N; kN for k initiators; with the filter as many as Chang-Roberts",
                   "with exactly so many messages",
                   "Random rings of 1 to 30 nodes: all initiating, some initiating, and some with "
                   "the filter beside Chang-Roberts' Election messages on the same ring.");
}

}  // namespace conclave::claims::rings
