// Properties of every run of Vitányi's protocol: V1, V4, V8, V10, V13.
#include <algorithm>

#include "conclave/claims/archimedean/archimedean_experiments.hpp"
#include "conclave/claims/archimedean/archimedean_runs.hpp"
#include "conclave/core/key.hpp"

namespace conclave::claims::archimedes {

using namespace std::chrono_literals;
using Shape = simulator::Delay::Shape;

// ---------------------------------------------------------------- V1

namespace {

// The links do not keep the order: processor 2 gets M_1 before the wakeup, and does not read it.
Scenario overtaken(std::uint64_t seed) {
    Scenario scenario = in_step(2, Who::listed, How::ascending, seed, {});
    scenario.initiators.ids = {Id{1}};
    scenario.fifo = false;
    scenario.delay = {Shape::uniform, Duration{0}, 5 * unit};
    return scenario;
}

}  // namespace

Result lowest_wins(const Effort& effort) {
    Tally tally;
    std::uint64_t silent = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
        silent += run_named(overtaken(seed)).end == Outcome::End::leaderless;
    for (std::uint64_t seed = 1; seed <= effort.runs(2000); ++seed) {
        Cell cell(seed);
        const Pairs settings{{"first", cell.pick(2) == 0 ? "one" : "f"},
                             {"f", cell.pick(2) == 0 ? "power" : "root"},
                             {"lowest", std::to_string(1 + cell.pick(4))},
                             {"gap", cell.pick(2) == 0 ? "1" : "7"}};
        const bool exponential = cell.pick(2) != 0;
        const auto nodes = static_cast<std::uint32_t>(1 + cell.draw(40));
        const auto slowest = static_cast<std::uint32_t>(1 + cell.draw(100));
        Scenario scenario = out_of_step(nodes, slowest, true, seed, settings);
        if (exponential) scenario.delay = {Shape::exponential, 3 * unit, {}};
        const Outcome outcome = run_named(scenario);
        tally.add(elected(outcome, Id{1}) && outcome.quiet && sent(outcome, "Wakeup") == nodes &&
                      sent(outcome, "Sleepwell") == nodes,
                  scenario, outcome);
    }
    const Scenario shown = overtaken(2);
    const bool needed = silent != 0 && run_named(shown).end == Outcome::End::leaderless;
    return {
        .status = tally.all() && needed ? Status::pass : Status::fail,
        .expected = "the lowest name, N wakeup and N sleepwell passes",
        .measured = tally.text(),
        .unit = "in which it was so",
        .evidence =
            "Random rings of 1 to 40, unit lengths in ratios up to 100, delays uniform "
            "or exponential, both first waits, two functions f, the lowest name 1 to 4, names with "
            "and without gaps, each combination as often as any other. Links must keep the order: "
            "else two processors elect nobody in " +
            std::to_string(silent) + " of 100 runs.",
        .exhibits = {show("Without order: a name that comes before its wakeup", shown)},
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

namespace {

// Clocks so near to each other that little of the bound is left over: some slower than the others,
// short delays, everybody waking within two units.
Scenario near_the_bound(std::uint64_t seed) {
    const auto draw = [&](std::uint64_t what, std::uint64_t n) { return mix(mix(seed), what) % n; };
    const auto nodes = static_cast<std::uint32_t>(1 + draw(1, 12));
    Scenario scenario = in_step(nodes, Who::all, How::random, seed,
                                {{"lowest", std::to_string(1 + draw(2, 3))},
                                 {"first", draw(3, 2) != 0 ? "one" : "f"},
                                 {"f", draw(4, 2) != 0 ? "power" : "root"},
                                 {"wakeups", draw(5, 2) != 0 ? "free" : "read"}});
    const std::uint64_t spread = draw(6, 3) * 40;  // per cent
    for (std::uint32_t id = 1; id <= nodes; ++id)
        scenario.node_clocks.push_back({Id{id}, {}, 0, 100 - draw(100 + id, spread + 1)});
    if (draw(7, 2) != 0) draw_initiators(scenario);
    for (std::uint32_t id = 1; id <= nodes && nodes > 2; ++id)
        if (draw(200 + id, 3) == 0)
            scenario.calls.push_back({Id{id}, Time{unit * static_cast<int>(draw(300 + id, 200))}});
    const Duration longest = unit / 10 * static_cast<int>(1 + draw(8, 2) * draw(9, 999));
    scenario.delay = {draw(10, 2) != 0 ? Shape::constant : Shape::uniform, longest, longest};
    if (scenario.delay.shape == Shape::uniform) scenario.delay.low = Duration{0};
    return scenario;
}

}  // namespace

Result bound_time(const Effort& effort) {
    Tally printed;
    double fullest = 0;
    const auto add = [&](const Scenario& scenario) {
        const Outcome outcome = run_named(scenario);
        const double time = units(outcome.ended);
        fullest = std::max(fullest, time / time_bound(scenario, 2));
        printed.add(time <= time_bound(scenario, 2) && elected(outcome, Id{1}), scenario, outcome);
    };
    for (std::uint64_t seed = 1; seed <= effort.runs(100'000); ++seed) add(near_the_bound(seed));
    for (std::uint64_t seed = 1; seed <= effort.runs(10'000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 20);
        const auto slowest = static_cast<std::uint32_t>(1 + seed % 7);
        add(out_of_step(nodes, slowest, seed % 2 == 0, seed,
                        {{"lowest", std::to_string(1 + seed % 3)}}));
    }
    for (std::uint32_t nodes = 1; nodes <= 200; nodes += 13) add(just_missed(nodes, {}));
    // The strictest reading: wakeups cost a unit, and the winner reads its sleepwell message too.
    const Scenario strict = just_missed(3, {{"first", "f"}, {"wakeups", "read"}});
    const double strictly = units(run_named(strict).ended) + 1, bound = time_bound(strict, 2);
    const bool good = printed.all() && strictly > bound && strictly <= time_bound(strict, 3);
    return {.status = good ? Status::pass : Status::fail,
            .expected = "at most N u (f(l) + 2)",
            .measured = printed.text() + "; at most " + decimal(fullest, 3) + " of it",
            .unit = "within the bound, up to the return of the sleepwell message",
            .evidence =
                "It holds with next to no room, since M_l waits behind others only where a fast "
                "clock stands before a slow one, and is faster there itself. If reading a wakeup "
                "costs a unit, the first wait is f, and the winner's reading of its own sleepwell "
                "message counts, three processors in step take " +
                decimal(strictly, 2) + " units of " + decimal(bound, 2) +
                ". N u (f(l) + 3) covers every reading: each other message is read before M_l at "
                "most once, and dies there.",
            .exhibits = {show("Every message just misses the end of a unit", just_missed(3, {}))},
            .plots = {}};
}

// ---------------------------------------------------------------- V8

Result learn_size(const Effort& effort) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= effort.runs(2000); ++seed) {
        Cell cell(seed);
        const std::uint64_t hop = 1 + cell.pick(4);
        const char* first = cell.pick(2) == 0 ? "one" : "f";
        const char* growth = cell.pick(2) == 0 ? "power" : "root";
        const std::uint64_t lowest = 1 + cell.pick(5);
        const auto nodes = static_cast<std::uint32_t>(1 + cell.draw(100));
        Scenario scenario = in_step(nodes, Who::all, How::random, seed,
                                    {{"first", first},
                                     {"f", growth},
                                     {"lowest", std::to_string(lowest)},
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
                "Synchronous rings of 1 to 100 in random order, hops of 1 to 4 units, some "
                "processors waking at once, the others by wakeups. A hop must take a fixed number "
                "of units, and not 0: then who is busy in that unit reads in the next.",
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
        scenario.calls.clear();
        const Time ended = run_named(scenario).ended;  // sleepwell goes round in the last `span`
        const auto span =
            static_cast<std::uint64_t>(2 * std::int64_t{scenario.nodes} * unit.count());
        const Id who{1 + static_cast<std::uint32_t>(mix(seed) % scenario.nodes)};
        scenario.calls = {{who, ended - Duration{static_cast<std::int64_t>(mix(~seed) % span)}}};
        scenario.until = 2 * ended;
        wrong += loser_leads(run_named(scenario));
    }
    const bool shown = loser_leads(run_named(early_riser()));
    return {.status = shown && wrong != 0 ? Status::pass : Status::fail,
            .expected = "runs in which a loser leads",
            .measured = std::to_string(wrong) + " of " + std::to_string(runs) +
                        " runs with one processor waking while sleepwell goes round",
            .unit = "in which a loser considers itself elected",
            .evidence =
                "The winner, awake again, takes its own sleepwell message for news and "
                "sends it on for ever; a loser that is just awake, and so knows no name "
                "but its own, reads it and concludes that it won.",
            .exhibits = {show("Waking before the sleepwell message is back", early_riser())},
            .plots = {}};
}

// ---------------------------------------------------------------- V13

namespace {

// Every message that escapes the lower ones on its way comes to processor 1 before its first unit
// ends.
Scenario slow_reader(std::uint32_t nodes) {
    Scenario scenario = escaping_ring(nodes, 16, {{"unit", "1us"}});
    for (auto& clock : scenario.node_clocks)
        if (clock.node == Id{1}) clock.slowdown = 1'000'000'000;
    return scenario;
}

}  // namespace

Result measure_queues(const Effort& effort) {
    std::uint32_t together = 0, apart = 0, most = 0;
    for (std::uint64_t seed = 1; seed <= effort.runs(1000); ++seed) {
        const auto nodes = static_cast<std::uint32_t>(1 + seed % 200);
        Scenario scenario = in_step(nodes, Who::all, How(seed % 3), seed, {});
        scenario.delay.low = static_cast<std::int64_t>(seed % 3) * unit;
        together = std::max(together, study(scenario).longest_queue);
        scenario = out_of_step(nodes, 1000, true, seed, {});
        apart = std::max(apart, study(scenario).longest_queue);
    }
    Series measured{"one slow processor", {}, false};
    Series in_lockstep{"synchronous ring", {}, true};
    for (const std::uint32_t nodes : {4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u}) {
        most = study(slow_reader(nodes)).longest_queue;
        measured.points.emplace_back(nodes, most);
        in_lockstep.points.emplace_back(nodes, together);
    }
    const bool good = together == 1 && apart > 1 && most > measured.points.front().second + 3;
    return {.status = good ? Status::pass : Status::fail,
            .expected = "at most 1 in step; queues otherwise",
            .measured = std::to_string(together) + " in step, " + std::to_string(apart) +
                        " with clocks at random, " + std::to_string(most) +
                        " of 1024 before one slow processor",
            .unit = "messages waiting to be read, at most",
            .evidence =
                "A processor in step sends at most one message a unit, so its neighbour "
                "reads it in the next. Before a processor that is much slower than all others the "
                "messages pile up that escape the lower ones: the more, the larger the ring.",
            .exhibits = {},
            .plots = {{"Longest message queue",
                       "N",
                       "messages waiting",
                       true,
                       false,
                       {measured, in_lockstep}}}};
}

}  // namespace conclave::claims::archimedes
