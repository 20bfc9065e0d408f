// How many message passes Vitányi's protocol takes: V2, V3, V6, V11, V12.
#include <algorithm>
#include <cmath>

#include "conclave/claims/archimedean/archimedean_experiments.hpp"
#include "conclave/claims/archimedean/archimedean_runs.hpp"
#include "conclave/core/key.hpp"
#include "conclave/simulator/campaign/statistics.hpp"

namespace conclave::claims::archimedes {

using simulator::Sample;

namespace {

double passes(const Outcome& outcome) { return static_cast<double>(outcome.messages); }
std::string whole(double value) { return std::to_string(static_cast<std::uint32_t>(value)); }

}  // namespace

// ---------------------------------------------------------------- V2

namespace {

// Four processors in step, with the names 4 to 7.
Scenario first_hops(std::string first) {
    Scenario scenario = in_step(4, Who::all, How::listed, 1, {{"lowest", "4"}});
    scenario.settings.emplace_back("first", std::move(first));
    scenario.order.ids = {Id{3}, Id{1}, Id{4}, Id{2}};
    return scenario;
}

struct Bounds {
    Tally repaired, printed;
    std::uint64_t exceeded = 0;
};

void try_bounds(std::uint32_t slowest, bool delays, const Effort& effort, Bounds& bounds) {
    for (std::uint64_t seed = 1; seed <= effort.runs(3000); ++seed) {
        Cell cell(seed);
        const Pairs settings{{"f", cell.pick(2) == 0 ? "power" : "root"},
                             {"lowest", std::to_string(1 + cell.pick(6))},
                             {"gap", cell.pick(2) == 0 ? "1" : "7"}};
        const bool all = cell.pick(2) == 0;
        const auto nodes = static_cast<std::uint32_t>(2 + cell.draw(30));
        Scenario scenario = out_of_step(nodes, slowest, delays, seed, settings);
        if (all) scenario.initiators.who = Who::all;
        const double bound = passes_bound(scenario);
        Outcome outcome = run_named(scenario);
        bounds.printed.add(passes(outcome) <= bound + nodes, scenario, outcome);
        bounds.exceeded += passes(outcome) > bound;
        scenario.settings.emplace_back("first", "f");
        outcome = run_named(scenario);
        bounds.repaired.add(passes(outcome) <= bound, scenario, outcome);
    }
}

}  // namespace

Result bound_passes(const Effort& effort) {
    Bounds bounds;
    try_bounds(1, false, effort, bounds);  // u/m = 1
    try_bounds(1, true, effort, bounds);   // up to 2
    try_bounds(9, true, effort, bounds);   // up to 10
    const Scenario broken = first_hops("one");
    const double bound = passes_bound(broken), over = passes(run_named(broken));
    const bool mended = passes(run_named(first_hops("f"))) <= bound;
    const bool found = over > bound && mended && bounds.repaired.all() && bounds.printed.all();
    return {.status = found ? Status::finding : Status::fail,
            .expected = "at most 2N + N u/m (f(l)+1) sum 1/f(i) = " + decimal(bound),
            .measured = whole(over) + " for four processors; exceeded in " +
                        std::to_string(bounds.exceeded) +
                        " random runs; with first=f within it in " + bounds.repaired.text() +
                        "; with first=one and N more in " + bounds.printed.text(),
            .unit = "passes",
            .evidence =
                "Equation (1) charges a message f(i) units for every pass, but the printed "
                "first wait is 1. Waiting f(i) there too repairs it; else N passes more "
                "are enough.",
            .exhibits = {show("16 passes, more than the bound of 15.97", broken)},
            .plots = {}};
}

// ---------------------------------------------------------------- V3

namespace {

Pairs waits(std::string first, double scale, double base) {
    return {{"first", std::move(first)}, {"scale", whole(scale)}, {"base", whole(base)}};
}

double passes_per_node(std::uint32_t nodes, double ratio, const Pairs& settings) {
    return passes(run_named(escaping_ring(nodes, ratio, settings))) / nodes;
}

// Six processors whose units halve clockwise, from 32 to 1, and f(i) = 32 * 2^i.
Scenario scaled_and_halved() {
    Scenario scenario = in_step(6, Who::all, How::ascending, 1, waits("one", 32, 2));
    for (std::uint32_t i = 1; i <= 6; ++i)
        scenario.node_clocks.push_back({Id{i}, {}, 0, std::uint64_t{1} << (6 - i)});
    return scenario;
}

Plot plot_scales(std::uint32_t nodes) {
    Series printed{"f = u/m 2^i, first wait 1, as printed", {}, false};
    Series patient{"f = u/m 2^i, first wait f", {}, false};
    Series steep{"f = (2u/m)^i, first wait 1", {}, false};
    Series five{"5N, as printed", {}, true}, growth{"(N/2) log2 u/m + 4.5N", {}, true};
    for (double ratio = 1; ratio <= 256; ratio *= 2) {
        printed.points.emplace_back(ratio, passes_per_node(nodes, ratio, waits("one", ratio, 2)));
        patient.points.emplace_back(ratio, passes_per_node(nodes, ratio, waits("f", ratio, 2)));
        steep.points.emplace_back(ratio, passes_per_node(nodes, ratio, waits("one", 1, 2 * ratio)));
        five.points.emplace_back(ratio, 5);
        growth.points.emplace_back(ratio, 4.5 + std::log2(ratio) / 2);
    }
    return {"Passes when f is scaled by u/m, unit lengths against it",
            "u/m",
            "passes / N",
            true,
            false,
            {printed, patient, steep, five, growth}};
}

}  // namespace

Result scale_waits(const Effort& effort) {
    Tally plain, steep;
    for (std::uint64_t seed = 1; seed <= effort.runs(3000); ++seed) {
        Cell cell(seed);
        const auto slowest = static_cast<std::uint32_t>(1 + cell.pick(8));
        const bool delays = cell.pick(2) != 0;
        const auto nodes = static_cast<std::uint32_t>(2 + cell.draw(40));
        Scenario scenario = out_of_step(nodes, slowest, delays, seed, {});
        const double ratio = ratio_of(scenario);
        Outcome outcome = run_named(scenario);
        plain.add(passes(outcome) <= 2 * nodes + 3 * nodes * ratio, scenario, outcome);
        scenario.settings = waits("one", 1, std::ceil(2 * ratio));
        outcome = run_named(scenario);
        steep.add(passes(outcome) < 5 * nodes, scenario, outcome);
    }
    for (const double ratio : {1.0, 2.0, 4.0, 16.0, 64.0})
        for (const std::uint32_t nodes : {8u, 12u, 24u, 100u}) {
            const Scenario scenario = escaping_ring(nodes, ratio, waits("one", 1, 2 * ratio));
            const Outcome outcome = run_named(scenario);
            steep.add(passes(outcome) < 5 * nodes, scenario, outcome);
        }
    const double over = passes(run_named(scaled_and_halved()));
    const std::uint32_t nodes = effort.quick ? 200 : 2000;
    const double mild = passes_per_node(nodes, 1.5, waits("one", 2, 2));
    const bool found = over > 30 && mild > 5 && plain.all() && steep.all();
    return {
        .status = found ? Status::finding : Status::fail,
        .expected =
            "\"bounded above by 3Nu/m + 2N\"; \"Setting f(i) to u2^i/m yields a number of "
            "message not greater than 2N + 2N(1+1/f(l)) < 5N\", here 30",
        .measured = "2^i: " + plain.text() + "; u/m 2^i: " + whole(over) +
                    " for six processors and u/m = 32, " + decimal(mild) +
                    " N already for u/m = 1.5; (2u/m)^i: below 5N in " + steep.text(),
        .unit = "passes",
        .evidence =
            "With f = c 2^i equation (2) gives 2N + 2N (u/m)(1 + 1/f(l)): the printed line "
            "drops u/m. Scaling f changes no ratio of waits, so where units shorten clockwise the "
            "low names still escape each other: about (N/2) log2(u/m) passes more. "
            "f(i) = ceil(2u/m)^i makes M_1 twice as fast as any other at any "
            "processors.",
        .exhibits = {show("33 passes, more than 5N = 30", scaled_and_halved())},
        .plots = {plot_scales(nodes)}};
}

// ---------------------------------------------------------------- V6

Result halve_units(const Effort& effort) {
    Tally tally;
    Series measured{"election passes", {}, false}, formula{"N(N+1)/2", {}, true};
    const std::uint32_t most = effort.quick ? 20 : 40;
    for (std::uint32_t nodes = 1; nodes <= most; ++nodes) {
        const Scenario scenario = halving_ring(nodes);
        const Outcome outcome = run_named(scenario);
        const std::uint64_t expected = nodes * (nodes + 1) / 2;
        tally.add(sent(outcome, "Election") == expected &&
                      outcome.messages == expected + std::uint64_t{2} * nodes &&
                      elected(outcome, Id{1}),
                  scenario, outcome);
        measured.points.emplace_back(nodes, static_cast<double>(sent(outcome, "Election")));
        formula.points.emplace_back(nodes, static_cast<double>(expected));
    }
    return {.status = tally.all() ? Status::pass : Status::fail,
            .expected = "N(N+1)/2 election passes and 2N others",
            .measured = tally.text(),
            .unit = "with exactly so many",
            .evidence = "Unit lengths 2^(N-i+1), names ascending clockwise, 1 to " +
                        std::to_string(most) + " processors.",
            .exhibits = {show("The adversary with four processors", halving_ring(4))},
            .plots = {
                {"Passes under the adversary", "N", "passes", false, false, {measured, formula}}}};
}

// ---------------------------------------------------------------- V11

namespace {

// Clocks spread evenly over a tenth, names ascending clockwise, links of `hops` units.
Scenario slow_links(std::uint32_t nodes, std::uint64_t delay) {
    Scenario scenario = in_step(nodes, Who::all, How::ascending, 1, {{"unit", "10us"}});
    for (std::uint32_t id = 1; id <= nodes; ++id)
        scenario.node_clocks.push_back({Id{id}, {}, 0, 100 + mix(id) % 11});
    scenario.delay.low = static_cast<std::int64_t>(delay) * unit;
    return scenario;
}

}  // namespace

Result delay_links(const Effort& effort) {
    const std::uint32_t nodes = effort.quick ? 60 : 300;
    constexpr double bound = 7 + 3 * 0.1;
    Series measured{"measured", {}, false}, printed{"7N + 3εN/m, as printed", {}, true};
    double near = 0, far = 0;
    for (std::uint64_t delay = 1; delay <= 4096; delay *= 2) {
        const double each = passes(run_named(slow_links(nodes, delay))) / nodes;
        measured.points.emplace_back(delay, each);
        printed.points.emplace_back(delay, bound);
        if (delay <= 2) near = std::max(near, each);
        far = each;
    }
    Scenario small = slow_links(12, 256);
    const double over = passes(run_named(small));
    return {
        .status = near < bound && far > bound && over > bound * 12 ? Status::finding : Status::fail,
        .expected = "below (7 + 0.3) N",
        .measured = decimal(near) + " N with links of up to two units, " + decimal(far) +
                    " N with links of 4096; " + whole(over) + " for twelve processors and 256",
        .unit = "passes",
        .evidence =
            "While f(i) is small beside the delay of a link, M_i is no slower than M_l "
            "and only a lower processor stops it: about log2(delay/unit) messages go "
            "round. The bound needs links that take some units at most.",
        .exhibits = {},
        .plots = {{"Near-equal clocks, slow links",
                   "delay of a link, in units",
                   "passes / N",
                   true,
                   false,
                   {measured, printed}}}};
}

// ---------------------------------------------------------------- V12

namespace {

struct Walk {
    double printed = 0, time = 0;  // the mean number of passes, the longest time, as printed
};

// w_p: a unit a station and bit; w_s: the delays; log i: the digits of i.
Walk walk_of(const Scenario& scenario) {
    const double stations = scenario.nodes, signal = stations * units(scenario.delay.low);
    const auto round = [&](std::uint32_t i) {  // f(i) log i is what the setting `digits` waits
        return signal + stations * static_cast<double>(wait_of(i, scenario));
    };
    const double walk = stations + signal;
    double sum = 0;
    for (std::uint32_t i = 1; i <= scenario.nodes; ++i) sum += (walk + round(1)) / round(i);
    return {2 * stations + stations * sum, 2 * walk + round(1)};
}

}  // namespace

Result walk_times(const Effort& effort) {
    Tally in_time;
    bool good = true;
    std::string measured;
    for (const std::uint32_t nodes : {10u, 100u})
        for (const std::int64_t tenths : {0, 2, 10, 100}) {
            Sample sample;
            double bound = 0;
            for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
                Scenario scenario = in_step(nodes, Who::all, How::random, seed, {{"digits", "on"}});
                scenario.delay.low = tenths * unit / 10;
                const Walk walk = walk_of(scenario);
                const Outcome outcome = run_named(scenario);
                in_time.add(units(outcome.ended) <= walk.time, scenario, outcome);
                sample.add(static_cast<std::int64_t>(outcome.messages));
                bound = walk.printed;
            }
            good = good && sample.mean() + sample.margin() <= bound;
            measured += (measured.empty() ? "" : ", ") + decimal(sample.mean() / nodes) + " of " +
                        decimal(bound / nodes);
        }
    return {.status = good && in_time.all() ? Status::pass : Status::fail,
            .expected = "mean passes and time at most as printed",
            .measured = measured + " N passes; in time in " + in_time.text(),
            .unit = "for 10 and 100 processors, links of 0, 0.2, 1 and 10 units",
            .evidence =
                "Every digit of a name takes a unit a station (digits=on); log i is read "
                "as the number of digits, since log 1 = 0 would let M_1 pass unread.",
            .exhibits = {},
            .plots = {}};
}

}  // namespace conclave::claims::archimedes
