// What holds of every run of Vitányi's protocol: V1, V4, V8, V10, V13.
#include <algorithm>

#include "conclave/claims/archimedean_experiments.hpp"
#include "conclave/claims/archimedean_runs.hpp"
#include "conclave/core/key.hpp"

namespace conclave::claims::archimedes {

using namespace std::chrono_literals;
using Shape = simulator::Delay::Shape;

// ---------------------------------------------------------------- V1

Result lowest_wins(const Effort& effort) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= effort.runs(2000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 40);
        const Pairs settings{{"first", seed % 2 != 0 ? "one" : "f"},
                             {"f", seed % 3 != 0 ? "power" : "root"},
                             {"lowest", std::to_string(1 + seed % 4)}};
        const auto slowest = static_cast<std::uint32_t>(1 + seed % 100);
        Scenario scenario = out_of_step(nodes, slowest, true, seed, settings);
        if (seed % 5 == 0) scenario.delay = {Shape::exponential, 3 * unit, {}};
        const Outcome outcome = run(scenario);
        tally.add(elected(outcome, Id{1}) && outcome.quiet && sent(outcome, "Wakeup") == nodes &&
                      sent(outcome, "Sleepwell") == nodes,
                  scenario, outcome);
    }
    return {.status = tally.all() ? Status::pass : Status::fail,
            .expected = "the lowest name, N wakeup and N sleepwell passes",
            .measured = tally.text(),
            .unit = "in which it was so",
            .evidence =
                "Random rings of 1 to 40, unit lengths in ratios up to 100, delays uniform "
                "or exponential, both first waits, two functions f.",
            .exhibits = {},
            .plots = {}};
}

// ---------------------------------------------------------------- V4

namespace {

// Equal clocks that all start at once, and links that are a little slower than nothing: every
// message just misses the end of a unit at every processor.
Scenario just_missed(std::uint32_t nodes, const Pairs& settings) {
    Scenario scenario = in_step(nodes, Who::all, How::ascending, 1, settings);
    scenario.delay.low = unit / 1000;
    return scenario;
}

}  // namespace

Result bound_time(const Effort& effort) {
    Tally printed, ours;
    double fullest = 0;
    const auto add = [&](const Scenario& scenario) {
        const Outcome outcome = run(scenario);
        const double time = units(outcome.ended);
        fullest = std::max(fullest, time / time_bound(scenario, 2));
        printed.add(time <= time_bound(scenario, 2), scenario, outcome);
        ours.add(time <= time_bound(scenario, 3), scenario, outcome);
    };
    for (std::uint64_t seed = 1; seed <= effort.runs(10'000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 20);
        const auto slowest = static_cast<std::uint32_t>(1 + seed % 7);
        Scenario scenario = out_of_step(nodes, slowest, seed % 2 == 0, seed,
                                        {{"lowest", std::to_string(1 + seed % 3)}});
        if (seed % 3 == 0) scenario.initiators.who = Who::all;
        if (seed % 5 == 0) scenario.delay.high /= 1 + mix(seed) % 100;
        add(scenario);
    }
    for (std::uint32_t nodes = 1; nodes <= 200; nodes += 13) add(just_missed(nodes, {}));
    const Scenario charged = just_missed(3, {{"first", "f"}, {"wakeups", "read"}});
    const Outcome late = run(charged);
    return {.status = printed.all() && ours.all() ? Status::pass : Status::fail,
            .expected = "at most N u (2^l + 2)",
            .measured = printed.text() + "; at most " + decimals(fullest, 3) + " of it",
            .unit = "within the bound",
            .evidence =
                "It holds with next to no room. Our bound N u (f(l) + 3) also pays for queueing, "
                "since every message that is read just before M_l dies there; no run needed it. "
                "With a first wait of f and wakeups that cost a unit, three processors take " +
                decimals(units(late.ended), 1) +
                " of 12 units, and the winner's last reading one "
                "more: only then the printed bound is exceeded, by a unit.",
            .exhibits = {show("Every message just misses the end of a unit", just_missed(3, {}))},
            .plots = {}};
}

// ---------------------------------------------------------------- V8

Result learn_size(const Effort& effort) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= effort.runs(2000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 100);
        const std::uint64_t hop = seed % 4;
        Scenario scenario = in_step(nodes, Who::all, How::random, seed,
                                    {{"first", seed % 2 != 0 ? "one" : "f"},
                                     {"f", seed % 3 != 0 ? "power" : "root"},
                                     {"lowest", std::to_string(1 + seed % 5)},
                                     {"hop", std::to_string(hop)}});
        draw_initiators(scenario);
        scenario.delay.low = static_cast<std::int64_t>(hop) * unit;
        const Traits traits = study(scenario);
        tally.add(traits.learned == nodes && elected(traits.outcome, Id{1}), scenario,
                  traits.outcome);
    }
    return {.status = tally.all() ? Status::pass : Status::fail,
            .expected = "N = (elapsed - first wait + f(l)) / (h + f(l))",
            .measured = tally.text(),
            .unit = "in which the winner knew N",
            .evidence =
                "Synchronous rings of 1 to 100 in random order, hops of 0 to 3 units, some "
                "processors waking at once, the others by wakeups.",
            .exhibits = {},
            .plots = {}};
}

// ---------------------------------------------------------------- V10

namespace {

// The winner wakes again while its sleepwell message is still under way.
Scenario early_riser() {
    Scenario scenario = in_step(2, Who::listed, How::ascending, 1, {});
    scenario.initiators.ids = {Id{1}};
    scenario.delay.low = unit / 2;
    scenario.calls = {{Id{1}, 9 * unit / 2}};
    scenario.until = 40 * unit;
    return scenario;
}

bool loser_leads(const Outcome& outcome) {
    return std::any_of(outcome.violations.begin(), outcome.violations.end(), [](const auto& v) {
        return v.property == "one leader" || v.property == "best elected";
    });
}

}  // namespace

Result wake_too_early(const Effort& effort) {
    std::uint64_t wrong = 0;
    const std::uint64_t runs = effort.runs(1000);
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = early_riser();
        scenario.nodes = static_cast<std::uint32_t>(2 + seed % 6);
        const auto span = static_cast<std::uint64_t>(10 * scenario.nodes * unit.count());
        const Id who{1 + static_cast<std::uint32_t>(mix(seed) % scenario.nodes)};
        scenario.calls = {{who, Time{static_cast<std::int64_t>(mix(~seed) % span)}}};
        wrong += loser_leads(run(scenario));
    }
    const bool shown = loser_leads(run(early_riser()));
    return {.status = shown ? Status::pass : Status::fail,
            .expected = "a run in which a loser leads",
            .measured = std::to_string(wrong) + " of " + std::to_string(runs) +
                        " runs with one processor waking at a random time",
            .unit = "in which a loser considers itself elected",
            .evidence =
                "The winner, awake again, takes its own sleepwell message for news and "
                "sends it on for ever; a loser that is just awake, and so knows no name "
                "but its own, reads it and concludes that it won.",
            .exhibits = {show("Waking before the sleepwell message is back", early_riser())},
            .plots = {}};
}

// ---------------------------------------------------------------- V13

Result measure_queues(const Effort& effort) {
    std::uint32_t together = 0;
    std::string measured;
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 200);
        Scenario scenario = in_step(nodes, Who::all, How(seed % 3), seed, {});
        scenario.delay.low = static_cast<std::int64_t>(seed % 3) * unit;
        together = std::max(together, study(scenario).longest_queue);
    }
    std::uint32_t most = 0;
    Plot plot{"Longest message queue", "slowest unit / fastest unit", "messages", true, false, {}};
    Series series{"longest queue in any run", {}, false};
    for (const std::uint32_t slowest : {2u, 5u, 10u, 30u, 100u, 300u, 1000u}) {
        std::uint32_t longest = 0;
        for (std::uint64_t seed = 1; seed <= effort.runs(300); ++seed) {
            Scenario scenario = out_of_step(100, slowest, true, seed, {});
            scenario.initiators.who = Who::all;
            longest = std::max(longest, study(scenario).longest_queue);
        }
        series.points.emplace_back(slowest, longest);
        most = std::max(most, longest);
    }
    plot.series = {series};
    return {.status = together <= 1 && most > 1 ? Status::pass : Status::fail,
            .expected = "at most 1 in step; queues otherwise",
            .measured =
                std::to_string(together) + " in step, up to " + std::to_string(most) + " otherwise",
            .unit = "messages waiting to be read",
            .evidence =
                "A processor in step sends at most one message a unit, so its neighbour "
                "reads it in the next. Fast clocks before slow ones make queues.",
            .exhibits = {},
            .plots = {plot}};
}

}  // namespace conclave::claims::archimedes
