// B6 to B9: bully beyond its assumptions, by attribute, and with other timeouts.
#include <array>
#include <cmath>

#include "conclave/claims/bully/bully_rows.hpp"
#include "conclave/claims/measuring.hpp"
#include "conclave/core/key.hpp"

namespace conclave::claims {

namespace {

using namespace std::chrono_literals;
using simulator::Initiators;
using simulator::Outcome;
using simulator::Scenario;

Scenario five(std::uint32_t caller) {
    Scenario scenario;
    scenario.algorithm = "bully";
    scenario.order.how = simulator::Order::How::ascending;
    scenario.initiators = {Initiators::Who::listed, {Id{caller}}};
    return scenario;
}

// "4 and 5 both lead"
std::string said(const Outcome& outcome) {
    for (const simulator::Violation& violation : outcome.violations)
        if (violation.property == "one leader") return violation.what;
    return "one leader";
}

// "2 by 2, 5 by 3"
std::string followed(const Outcome& outcome) {
    std::string list;
    for (const auto& [id, count] : outcome.believed)
        list += (list.empty() ? "" : ", ") + text(id) + " by " + std::to_string(count);
    return list;
}

}  // namespace

// ---------------------------------------------------------------- B6

Result break_assumptions(const Effort&) {
    Scenario parted = five(1);
    parted.initiators.ids = {Id{1}, Id{3}};
    parted.partitions = {{{{Id{1}, Id{2}}, {Id{3}, Id{4}, Id{5}}}, {0ms, never}}};
    parted.scope = simulator::LeaderScope::overall;
    Scenario hasty = five(4);
    hasty.settings = {{"timeout", "1.9ms"}};
    const Outcome two_parts = run_named(parted), too_short = run_named(hasty);
    const auto followers = [](const Outcome& outcome, std::uint32_t id) {
        const auto found = outcome.believed.find(Id{id});
        return found == outcome.believed.end() ? 0u : found->second;
    };
    const bool holds = violates(two_parts, "one leader") && followers(two_parts, 2) == 2 &&
                       followers(two_parts, 5) == 3 && violates(too_short, "one leader") &&
                       ends_well(run_named(five(4)));
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "two coordinators in both runs; none in the same run with timeout 2T",
            .measured = "partition: followed are " + followed(two_parts) +
                        "; timeout 1.9T: " + said(too_short),
            .unit = "",
            .evidence =
                "Five processes, the highest is 5; nothing but the assumption in question is "
                "broken. The diagrams "
                "are the smallest runs that still have two leaders.",
            .exhibits = {show_smallest("A partition: each part has a coordinator", parted),
                         show_smallest("First timeout 1.9T: the answer is under way", hasty)}};
}

// ---------------------------------------------------------------- B7

namespace {

// Attributes out of four, some processes dead; the best <attribute, id> of the living, and whether
// two of them have the same attribute.
struct Attributed {
    Scenario scenario;
    Rank best{};
    bool tie = false;
};

Attributed with_attributes(std::string_view algorithm, std::uint64_t seed, bool deaths) {
    Attributed drawn{five(1)};
    Scenario& scenario = drawn.scenario;
    scenario.algorithm = algorithm;
    scenario.seed = seed;
    scenario.nodes = 3 + static_cast<std::uint32_t>(seed % 6);
    scenario.initiators = {Initiators::Who::first, {}};
    scenario.order.how = simulator::Order::How::random;
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id) {
        const std::uint64_t bits = mix(seed * 64 + id);
        const auto attribute = static_cast<std::uint32_t>(bits & 3);
        scenario.attributes.push_back({Id{id}, attribute});
        if (deaths && (bits >> 8 & 3) == 0 && id != 1) {
            scenario.crashes.push_back({Id{id}, Time{0}});
            continue;
        }
        const Rank rank = make_rank(true, false, attribute, Id{id});
        drawn.tie = drawn.tie || (drawn.best != Rank{} &&
                                  std::uint64_t(drawn.best) >> 32 == std::uint64_t(rank) >> 32);
        drawn.best = std::max(drawn.best, rank);
    }
    if (deaths) scenario.calls = {{Id{1}, 20ms}};  // whoever was first may be dead
    return drawn;
}

}  // namespace

Result elect_by_attribute(const Effort& effort) {
    const std::uint64_t runs = effort.runs(10'000);
    std::uint64_t all = 0, good = 0, ties = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
        for (const std::string_view algorithm : {"bully", "ring-basic", "chang-roberts"}) {
            const Attributed drawn = with_attributes(algorithm, seed, algorithm == "bully");
            const Outcome outcome = run_named(drawn.scenario);
            ++all;
            good += ends_well(outcome) && outcome.leader == id_of(drawn.best);
            ties += drawn.tie;
        }
    return {.status = good == all && ties > 0 ? Status::pass : Status::fail,
            .expected =
                "\"the non-faulty process with the best (highest) election attribute value "
                "is elected\", in every run",
            .measured = out_of(good, all),
            .unit = "runs",
            .evidence =
                "3 to 8 processes with attributes 0 to 3: bully with a quarter of them dead, and "
                "both rings of the slides; " +
                std::to_string(ties) + " runs had equal attributes; seeds 1 to " +
                std::to_string(runs) + "."};
}

// ---------------------------------------------------------------- B8

// Of three processes P3 is dead and P1 calls. P1 leads by mistake if and only if the way to P2 and
// back takes longer than the timeout t: two exponential delays, so (1 + t) exp(-t). P2 leads t
// after it was asked, and P1 hears of it: on average t + 2 after the call. In units of the mean
// delay.
Result unbounded_delay(const Effort& effort) {
    const std::uint64_t runs = effort.runs(20'000);
    Plot plot{"Bully under exponential delay",
              "first timeout / mean delay",
              "probability; mean delays",
              false,
              true,
              {}};
    plot.series = {{"P(two coordinators), measured", {}, false},
                   {"(1+t) exp(-t)", {}, true},
                   {"failover time, measured", {}, false},
                   {"t + 2", {}, true}};
    bool holds = true;
    std::string measured;
    double last = 2;
    for (const std::uint32_t t : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
        Scenario scenario = dead_leader(3, 1);
        scenario.delay = {simulator::Delay::Shape::exponential, 1ms, {}};
        scenario.settings = {
            {"timeout", std::to_string(t) + "ms"}, {"patience", "1s"}, {"listen", "off"}};
        std::uint64_t two = 0;
        Estimate failover;
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            scenario.seed = seed;
            trace::Trace trace;
            two += violates(run_named(scenario, &trace), "one leader");
            failover.add(static_cast<double>(last_belief(trace).count()) / 1e6);
        }
        const double formula = (1 + t) * std::exp(-double(t));
        const double share = double(two) / double(runs);
        holds = holds && plausible(two, runs, formula, 3.2) && two > 0 && share < last &&
                std::abs(failover.mean() - (t + 2)) < 1.25 * failover.half_width();
        last = share;
        plot.series[0].points.emplace_back(t, share);
        plot.series[1].points.emplace_back(t, formula);
        plot.series[2].points.emplace_back(t, failover.mean());
        plot.series[3].points.emplace_back(t, t + 2.0);
        if (t == 2 || t == 4 || t == 7)
            measured += (measured.empty() ? "" : "; ") + ("t=" + std::to_string(t)) +
                        "T: " + decimal(share, 4) + ", " + failover.text(2) + "T";
    }
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "P = (1+t)exp(-t) falls, never 0; failover t+2 rises",
            .measured = measured,
            .unit = "probability of two coordinators, failover in mean delays",
            .evidence = "N = 3, P3 dead, P1 calls; " + std::to_string(runs) +
                        " runs for each t = 1 to 7, seeds 1 to " + std::to_string(runs) +
                        "; all points within a joint 99 % interval of the formula.",
            .plots = {plot}};
}

// ---------------------------------------------------------------- B9

Result shorten_patience(const Effort&) {
    const Outcome enough = run_named(dead_leader(6, 1));
    Plot plot{"Bully: too little patience costs messages",
              "second timeout / T",
              "Election messages",
              false,
              false,
              {}};
    plot.series = {{"measured", {}, false}, {"N(N-1)/2", {}, true}};
    bool holds = ends_well(enough);
    std::uint64_t most = 0;
    for (Duration patience = 250us; patience <= 8ms; patience += 250us) {
        Scenario scenario = dead_leader(6, 1);
        scenario.settings = {{"patience", format_duration(patience)}};
        const Outcome outcome = run_named(scenario);
        const std::uint64_t elections = count_of(outcome, "Election");
        most = std::max(most, elections);
        holds = holds && ends_well(outcome) && outcome.leader == enough.leader &&
                (patience >= 2ms ? outcome.messages == enough.messages : elections > 15);
        const double x = static_cast<double>(patience.count()) / 1e6;
        plot.series[0].points.emplace_back(x, static_cast<double>(elections));
        plot.series[1].points.emplace_back(x, 15);
    }
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "N(N-1)/2 = 15 from 2T on, more below; always the same leader",
            .measured = "15 from 2T on, up to " + std::to_string(most) + " below",
            .unit = "Election messages",
            .evidence =
                "N = 6, the worst case of B3, second timeout 0.25T to 8T in steps of "
                "0.25T. It begins when the first answer comes, 2T before the end, so half "
                "the worst turnaround is enough when delays are equal.",
            .plots = {plot}};
}

}  // namespace conclave::claims
