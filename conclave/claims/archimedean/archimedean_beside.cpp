// Vitányi's protocol measured in bits, with the other kind of wait, and beside the other rings:
// V5, V7, V9.
#include <algorithm>
#include <cmath>

#include "conclave/claims/archimedean/archimedean_experiments.hpp"
#include "conclave/claims/archimedean/archimedean_runs.hpp"

namespace conclave::claims::archimedes {

using namespace std::chrono_literals;

namespace {

double per_node(std::uint64_t amount, std::uint32_t nodes) {
    return static_cast<double>(amount) / nodes;
}

}  // namespace

// ---------------------------------------------------------------- V5

Result count_bits(const Effort& effort) {
    Series printed{"first wait 1, as printed", {}, false}, patient{"first wait f", {}, false};
    Series digits{"digits of all names / N", {}, true};
    std::vector<double> slow, fast;
    std::uint64_t all_digits = 0;
    std::uint32_t counted = 0;
    for (std::uint32_t nodes = 10; nodes <= (effort.quick ? 10'000u : 1'000'000u); nodes *= 10) {
        Scenario scenario = in_step(nodes, Who::all, How::random, 1, {{"first", "one"}});
        slow.push_back(per_node(run_named(scenario).bits, nodes));
        scenario.settings = {{"first", "f"}};
        fast.push_back(per_node(run_named(scenario).bits, nodes));
        while (counted < nodes) all_digits += dyadic_digits(++counted);
        printed.points.emplace_back(nodes, slow.back());
        patient.points.emplace_back(nodes, fast.back());
        digits.points.emplace_back(nodes, per_node(all_digits, nodes));
    }
    // A name has log2(10) = 3.3 digits more for ten times as many processors.
    bool found = true;
    for (std::size_t i = 1; i < slow.size(); ++i) found = found && slow[i] - slow[i - 1] > 2.5;
    for (const double bits : fast) found = found && bits < 4;
    // The same ring with names some 200 apart: the digits grow with the names, whatever N is.
    Scenario sparse = in_step(1000, Who::all, How::random, 1, {{"first", "one"}, {"gap", "200"}});
    const double apart = per_node(run_named(sparse).bits, 1000);
    found = found && apart > slow[2] + 5;
    std::string measured = "first wait 1:", other = "; first wait f:";
    for (const double bits : slow) measured += " " + decimal(bits, 1);
    for (const double bits : fast) other += " " + decimal(bits, 1);
    return {.status = found ? Status::finding : Status::fail,
            .expected =
                "\"The number of passed bits is linear, if we can assume that apart from the "
                "ratio u/m also l is independent of N\"",
            .measured = measured + other +
                        "; names 200 apart, N = 1000, first wait 1: " + decimal(apart, 1),
            .unit = "bits / N for N = 10, 100, ...",
            .evidence =
                "As printed every processor sends its own name at once, which alone costs "
                "the digits of all names, N log N of them. With a first wait of f only "
                "names that live long enough are sent, and the bits are linear. Names need not be "
                "1 to N: with greater ones as many passes cost more bits, without a bound. The "
                "printed sum, c' log l / f(l), is 0 for l = 1.",
            .exhibits = {},
            .plots = {{"Bits, names as dyadic digits",
                       "N",
                       "bits / N",
                       true,
                       false,
                       {printed, patient, digits}}}};
}

// ---------------------------------------------------------------- V7

namespace {

Scenario pairwise(std::uint32_t nodes, How how, std::uint64_t seed, const std::string& digits,
                  std::uint64_t lowest) {
    Scenario scenario =
        in_step(nodes, Who::all, how, seed,
                {{"f", "pair"}, {"digits", digits}, {"lowest", std::to_string(lowest)}});
    scenario.delay.low = unit;
    return scenario;
}

// The same ring for Chang and Roberts, who prefer the highest.
Scenario mirrored(const Scenario& scenario) {
    Scenario other = ring("chang-roberts", scenario.nodes, Who::all, How::listed, scenario.seed);
    trace::Trace order;
    Scenario idle = scenario;
    idle.until = Time{0};
    run_named(idle, &order);
    for (const Id id : order.nodes) other.order.ids.push_back(Id{scenario.nodes + 1 - number(id)});
    return other;
}

}  // namespace

Result wait_by_pair(const Effort& effort) {
    const bool at_once = effort.reads("zero", "at-once");
    Tally silent, equal, soon;
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        Cell cell(seed);
        const How order = How(cell.pick(3));
        const std::string digits = cell.pick(2) == 0 ? "off" : "on";
        const std::uint64_t lowest = 1 + cell.pick(6);
        const auto nodes = static_cast<std::uint32_t>(2 + cell.draw(60));
        Scenario scenario = effort.read(pairwise(nodes, order, seed, digits, lowest));
        Outcome outcome = run_named(scenario);
        silent.add(outcome.end == Outcome::End::leaderless && outcome.quiet, scenario, outcome);
        equal.add(elected(outcome, Id{1}) &&
                      sent(outcome, "Election") == sent(run_named(mirrored(scenario)), "Election"),
                  scenario, outcome);
        draw_initiators(scenario);
        outcome = run_named(scenario);
        // w_p is a unit a station, w_s the delays, log l the digits of l.
        const double stations = nodes, walk = stations + stations * units(scenario.delay.low);
        const auto log = static_cast<double>(dyadic_digits(static_cast<std::uint32_t>(lowest)));
        soon.add(elected(outcome, Id{1}) && units(outcome.ended) <= 3 * walk + stations * (log - 1),
                 scenario, outcome);
    }
    const bool good = at_once ? soon.all() && equal.all() : silent.all();
    const Status status = !good ? Status::fail : at_once ? Status::pass : Status::finding;
    return {.status = status,
            .expected = "\"the solution time is not greater than 3w + w_p(log l - 1)\"",
            .measured = at_once
                            ? "in time in " + soon.text() +
                                  ", with exactly the passes of Chang-Roberts in " + equal.text()
                            : "nobody elected in " + silent.text(),
            .unit = "",
            .evidence =
                "f(i,j) is 0 whenever j < i, and the Protocol decrements the timer before it tests "
                "it: from 0 to -1, which is never 0. Read as \"send at once\", no message waits, "
                "the time is as printed, and only processors stop messages: the passes are those "
                "of Chang-Roberts, up to N(N+1)/2. The paper trades passes for time here.",
            .exhibits = {show(at_once ? "A wait of 0 sends at once" : "The timer never reaches 0",
                              effort.read(pairwise(3, How::ascending, 1, "off", 1)))},
            .plots = {}};
}

// ---------------------------------------------------------------- V9

namespace {

struct Contender {
    std::string_view algorithm;
    std::string_view label;
    std::uint32_t most;  // measured up to this size
    How order = How::random;
};

constexpr Contender contenders[] = {
    {"archimedean", "archimedean", 1'000'000},
    {"chang-roberts", "chang-roberts, random order", 1'000'000},
    {"franklin", "franklin", 1'000'000},
    {"chang-roberts", "chang-roberts, worst order", 10'000, How::descending},
    {"le-lann", "le-lann", 10'000},
    {"ring-basic", "ring-basic", 10'000},
    {"ring-collect", "ring-collect", 1'000},  // its messages are lists of N names
    {"dolev-klawe-rodeh", "dolev-klawe-rodeh", 1'000'000},
    {"itai-rodeh", "itai-rodeh", 1'000'000},
    {"hirschberg-sinclair", "hirschberg-sinclair", 1'000'000},
};

struct Formula {
    const char* label;
    double (*of)(double nodes);
};

// All initiate. The basic ring takes 2.5 N^2 - N/2: the distances from 0 to N-1 all occur. In the
// order of the contenders, so that each is drawn in the colour of its own.
constexpr Formula formulas[] = {
    {"5N", [](double n) { return 5 * n; }},
    {"N H_N + N", [](double n) { return n * (std::log(n) + 0.57722 + 1 / (2 * n)) + n; }},
    {"2N log2 N + 3N", [](double n) { return 2 * n * std::log2(n) + 3 * n; }},
    {"N(N+1)/2 + N", [](double n) { return n * (n + 1) / 2 + n; }},
    {"N^2", [](double n) { return n * n; }},
    {"2.5 N^2 - N/2", [](double n) { return 2.5 * n * n - n / 2; }},
    {"2 N^2", [](double n) { return 2 * n * n; }},
};

Series measure(const Contender& entry, std::uint32_t most, Tally& tally) {
    Series series{std::string(entry.label), {}, false};
    const auto add = [&](std::uint32_t nodes) {
        Scenario scenario = ring(entry.algorithm, nodes, Who::all, entry.order, 1);
        scenario.until = Time{std::int64_t{1} << 61};
        const Outcome outcome = run_named(scenario);
        tally.add(outcome.end == Outcome::End::agreed && outcome.violations.empty(), scenario,
                  outcome);
        series.points.emplace_back(nodes, static_cast<double>(outcome.messages));
    };
    for (std::uint32_t nodes = 10; nodes <= std::min(entry.most, most); nodes *= 10) add(nodes);
    return series;
}

}  // namespace

Result compare_rings(const Effort& effort) {
    const std::uint32_t most = effort.quick ? 10'000 : 1'000'000;
    Plot plot{"Messages when all initiate", "N", "messages", true, true, {}};
    Tally tally;
    std::string growth;
    bool linear = true, faster = true;
    for (const Contender& entry : contenders) {
        plot.series.push_back(measure(entry, effort.quick ? std::min(most, 1'000u) : most, tally));
        const auto& points = plot.series.back().points;
        const double first = points.front().second / points.front().first;
        const double last = points.back().second / points.back().first;
        if (entry.algorithm == "archimedean")
            for (const auto& [nodes, messages] : points) linear = linear && messages <= 5 * nodes;
        else
            faster = faster && last > first * 1.2;
        growth += (growth.empty() ? "" : ", ") + std::string(entry.label) + " " +
                  decimal(first, 1) + " to " + decimal(last, 1);
    }
    for (const Formula& formula : formulas) {
        Series series{formula.label, {}, true};
        for (double nodes = 10; nodes <= most; nodes *= 10)
            series.points.emplace_back(nodes, formula.of(nodes));
        plot.series.push_back(std::move(series));
    }
    return {.status = linear && faster && tally.all() ? Status::pass : Status::fail,
            .expected = "linear for archimedean alone",
            .measured = growth,
            .unit = "messages / N, from the smallest ring to the largest",
            .evidence =
                "All initiate, random order unless said otherwise, up to a million "
                "processors; the quadratic ones to ten thousand at most, then their "
                "formulas.",
            .exhibits = {},
            .plots = {plot}};
}

}  // namespace conclave::claims::archimedes
