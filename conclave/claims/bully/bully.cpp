// The bully algorithm: CS425 lecture 2023 (Mittal), and Lecture 9 on coordinator election.
#include <array>

#include "conclave/claims/bully/bully_rows.hpp"
#include "conclave/claims/limited_storm.hpp"
#include "conclave/claims/measuring.hpp"

namespace conclave::claims {

namespace {

using namespace std::chrono_literals;
using simulator::Initiators;
using simulator::Outcome;
using simulator::Scenario;

constexpr std::array sizes{3u, 5u, 20u, 100u};

// ---------------------------------------------------------------- B1: safety and liveness

Result elect_the_best(const Effort& effort) {
    const std::uint64_t runs = effort.runs(20'000);
    std::uint64_t good = 0, good_again = 0;
    Duration overlap{};
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario failing = brew({.detector = seed % 2 == 0}, seed);
        failing.algorithm = "bully";
        good += ends_well(run_named(failing));
        Scenario returning = brew({.recoveries = true, .detector = false}, seed);
        returning.algorithm = "bully";
        returning.checks.one_leader = false;
        trace::Trace trace;
        good_again += ends_well(run_named(returning, &trace));
        overlap = std::max(overlap, longest_overlap(trace));
    }
    const bool holds = good == runs && good_again == runs && overlap > 0ms && overlap <= 1ms;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "all runs elect the best; two leaders: never, with recovery <= Tm = 1ms",
            .measured = out_of(good, runs) + " without, " + out_of(good_again, runs) +
                        " with recoveries; two leaders for " + format_duration(overlap) +
                        " at most",
            .unit = "runs",
            .evidence =
                "3 to 8 processes, up to 8 crashes (and recoveries) at random, delays up "
                "to 1ms, timeouts or a detector; seeds 1 to " +
                std::to_string(runs) +
                ". At most one leader at any instant was checked in every run without "
                "recoveries."};
}

// ---------------------------------------------------------------- B2, B3: messages and time

Result best_case(const Effort&) {
    bool holds = true;
    std::string measured;
    for (const std::uint32_t n : sizes) {
        const Outcome knows = run_named(dead_leader(n, n - 1));
        Scenario unaware = dead_leader(n, n - 1);
        unaware.detector.on = true;
        unaware.detector.missed = {std::uint64_t{1} << 32};
        const Outcome asks = run_named(unaware);
        holds = holds && ends_well(knows) && knows.messages == n - 2 && knows.turnaround == 1ms &&
                count_of(knows, "Coordinator") == n - 2 && ends_well(asks) &&
                asks.messages == n - 1 && count_of(asks, "Election") == 1 && asks.turnaround == 3ms;
        measured += (measured.empty() ? "" : "; ") + ("N=" + std::to_string(n)) + ": " +
                    std::to_string(knows.messages) + " in " + format_duration(knows.turnaround) +
                    ", unaware " + std::to_string(asks.messages) + " in " +
                    format_duration(asks.turnaround);
    }
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "N-2 in T; if it does not know, N-1 in 3T",
            .measured = measured,
            .unit = "messages, delays of T = 1ms",
            .evidence =
                "The highest of N is dead. The second highest calls, told by its detector "
                "who is dead, or not."};
}

Result worst_case(const Effort&) {
    bool holds = true;
    std::string measured;
    Plot plot{"Bully: messages when the lowest detects", "N", "messages", true, true, {}};
    plot.series = {{"Election", {}, false},
                   {"Disagree", {}, false},
                   {"N(N-1)/2", {}, true},
                   {"(N-1)(N-2)/2", {}, true}};
    for (const std::uint32_t n : {3u, 5u, 10u, 20u, 50u, 100u, 200u}) {
        const Outcome outcome = run_named(dead_leader(n, 1));
        const std::uint64_t election = n * (n - 1) / 2, disagree = (n - 1) * (n - 2) / 2;
        holds = holds && ends_well(outcome) && count_of(outcome, "Election") == election &&
                count_of(outcome, "Disagree") == disagree &&
                count_of(outcome, "Coordinator") == n - 2 && outcome.turnaround == 4ms &&
                outcome.messages == election + disagree + n - 2;
        const std::array values{count_of(outcome, "Election"), count_of(outcome, "Disagree"),
                                election, disagree};
        for (std::size_t i = 0; i < values.size(); ++i)
            plot.series[i].points.emplace_back(n, static_cast<double>(values[i]));
        if (n == 5 || n == 100)
            measured += (measured.empty() ? "" : "; ") + ("N=" + std::to_string(n)) + ": " +
                        std::to_string(values[0]) + " + " + std::to_string(values[1]) + " + " +
                        std::to_string(n - 2) + " in " + format_duration(outcome.turnaround);
    }
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "N(N-1)/2 Election + (N-1)(N-2)/2 Disagree + N-2 Coordinator in 4T",
            .measured = measured,
            .unit = "messages, delays of T = 1ms",
            .evidence =
                "The highest of N is dead, the lowest calls; N = 3 to 200, each exactly as "
                "the formula says.",
            .exhibits = {show("Five processes: P5 is dead, P1 notices", dead_leader(5, 1))},
            .plots = {plot}};
}

// ---------------------------------------------------------------- B4: the winner fails, too

Result winner_fails(const Effort&) {
    std::uint64_t runs = 0, good = 0;
    Scenario shown;
    for (Time at = 1ms; at <= 3ms; at += 100us) {  // before its announcement
        Scenario scenario = dead_leader(5, 1);
        scenario.crashes.push_back({Id{4}, at});
        const Outcome outcome = run_named(scenario);
        ++runs;
        good += ends_well(outcome) && outcome.leader == Id{3};
    }
    for (std::uint32_t missed = 1; missed < 8; ++missed) {  // these never get the announcement
        Scenario scenario = dead_leader(5, 1);
        scenario.crashes.push_back({Id{4}, 3500us});
        for (std::uint32_t id = 1; id <= 3; ++id)
            if ((missed >> (id - 1) & 1) != 0)
                scenario.cuts.push_back({Id{4}, Id{id}, {3ms, never}});
        const Outcome outcome = run_named(scenario);
        ++runs;
        good += ends_well(outcome) && outcome.leader == Id{3};
        if (missed == 4) shown = scenario;
    }
    return {.status = good == runs ? Status::pass : Status::fail,
            .expected = "the next highest wins, always",
            .measured = out_of(good, runs),
            .unit = "runs",
            .evidence =
                "P5 is dead, P1 calls, P4 would win: it fails every 0.1ms up to its "
                "announcement, or after announcing itself to some of P1, P2, P3 only, in "
                "all seven ways. P3 is elected after a second timeout.",
            .exhibits = {show("P4 fails after it has told P1 and P2, but not P3", shown)}};
}

}  // namespace

Scenario dead_leader(std::uint32_t nodes, std::uint32_t caller) {
    Scenario scenario;
    scenario.algorithm = "bully";
    scenario.nodes = nodes;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.crashes = {{Id{nodes}, Time{0}}};
    scenario.initiators = {Initiators::Who::listed, {Id{caller}}};
    return scenario;
}

namespace {

constexpr std::array ledger{
    Claim{"B1",
          "In a synchronous system with accurate timeouts the bully algorithm satisfies safety "
          "and liveness: the highest live id wins and all know it.",
          "Processes crash, and in half the runs recover, at random; every run must end with "
          "the best live process followed by all. With recoveries, the time during which two "
          "consider themselves leaders is measured.",
          "conclave sim bully --nodes 7 --delay 100us..1ms --crash 7@5ms --crash 6@9ms "
          "--detector late:1ms --seeds 1..1000",
          &elect_the_best},
    Claim{"B2", "Best case, second-highest id detects the failure: N-2 messages, turnaround T.",
          "The highest is dead, the second highest calls. Then once more without being told "
          "who is dead.",
          "conclave sim bully --nodes 5 --crash 5@0s --initiators 4", &best_case},
    Claim{"B3", "Worst case, the lowest id detects: (N-1)N/2 Election messages, turnaround 4T.",
          "The highest is dead, the lowest calls; messages are counted by type.",
          "conclave sim bully --nodes 5 --crash 5@0s --initiators 1", &worst_case},
    Claim{"B4",
          "If the would-be winner fails after its answer, or after announcing itself to some, "
          "the second timeout starts a new run and the next highest wins.",
          "The winner-to-be of five fails at every tenth of a millisecond, and in every way of "
          "having told only some.",
          "conclave sim bully --nodes 5 --crash 5@0s --crash 4@2.5ms --initiators 1",
          &winner_fails},
    Claim{"B5",
          "The coordinator hands the state of the task to everyone; who recovers or is new "
          "takes the state, then calls an election.",
          "A task is worked on through crashes and recoveries. Then a process recovers while "
          "an election that overlooked it is under way.",
          "conclave sim bully --nodes 5 --crash 5@0s --initiators 4 --set parts=4", &hand_over,
          "bully", "news"},
    Claim{"B6", "A partition, or a timeout that is too short, gives more than one coordinator.",
          "Five processes are split two and three; then the first timeout is a little shorter "
          "than two delays.",
          "conclave sim bully --nodes 5 --initiators 4 --set timeout=1.9ms", &break_assumptions},
    Claim{"B7", "Election by attribute: the best <attribute, id> wins, ties by id.",
          "Random attributes out of four, random callers, some processes dead.",
          "conclave sim bully --nodes 5 --attribute 2=30 --attribute 4=30 --attribute 5=7",
          &elect_by_attribute},
    Claim{"B8",
          "Under unbounded delay a longer timeout makes two coordinators less likely, never "
          "impossible, and a failover longer.",
          "Exponential delays with mean T; of three processes the highest is dead and the "
          "lowest calls. Two coordinators and the failover time are measured for each timeout.",
          "conclave sim bully --nodes 3 --crash 3@0s --initiators 1 --delay exp:1ms "
          "--set timeout=4ms --set patience=1s --set listen=off --seeds 1..1000",
          &unbounded_delay},
    Claim{"B9", "A very small second timeout leads to extra Election messages, nothing worse.",
          "The worst case of B3 with the second timeout from a quarter of T to 8T.",
          "conclave sim bully --nodes 6 --crash 6@0s --initiators 1 --set patience=500us",
          &shorten_patience},
    Claim{"M1",
          "The multicast-based algorithm in its three variants elects the highest id; each step "
          "improves on the one before, and bully does not ask those with a lower id.",
          "The same runs with all three variants and bully, all copies counted: in ascending "
          "order, in random orders, and with delays that differ.",
          "conclave sim bully --nodes 3 --order 2,3,1 --initiators all --trace -",
          &compare_multicast},
    Claim{"M2", "Waiting for the agreement of all never ends if any process is dead.",
          "One of six is dead, each in turn; the three variants run.",
          "conclave sim multicast --nodes 3 --crash 1@0s --initiators 3 --set variant=all",
          &wait_for_the_dead},
};

}  // namespace

std::span<const Claim> bully_claims() { return ledger; }

}  // namespace conclave::claims
