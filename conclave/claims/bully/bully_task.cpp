// B5: the state of the task is handed over; and what a recovering process must wait for.
#include <array>

#include "conclave/claims/bully/bully_rows.hpp"
#include "conclave/claims/limited_storm.hpp"
#include "conclave/claims/measuring.hpp"

namespace conclave::claims {

namespace {

using namespace std::chrono_literals;
using simulator::Delay;
using simulator::Outcome;
using simulator::Scenario;

// 2(N-2) messages on top of the N-2: everybody reports, everybody is told.
bool costs_as_stated() {
    for (const std::uint32_t n : {3u, 5u, 20u}) {
        Scenario scenario = dead_leader(n, n - 1);
        scenario.settings = {{"parts", "4"}, {"work", "1s"}};
        scenario.until = 100ms;
        const Outcome outcome = run_named(scenario);
        if (outcome.messages != std::uint64_t{3} * (n - 2) ||
            count_of(outcome, "Report") != n - 2 || count_of(outcome, "State") != n - 2)
            return false;
    }
    return true;
}

// Asked, was told, and only then called: the order of these in what the trace says of `id`.
bool takes_state_first(const trace::Trace& trace, Id id) {
    int step = 0;
    for (const trace::Record& r : trace.records) {
        if (r.node != id) continue;
        const bool sends = r.kind == trace::Kind::send;
        if (step == 0 && sends && r.text == "Ask") step = 1;
        if (step == 1 && r.kind == trace::Kind::arrive && r.text.starts_with("State(")) step = 2;
        if (sends && (r.text == "Election" || r.text == "Coordinator")) return step == 2;
    }
    return false;
}

bool recovery_takes_state_first() {
    for (const std::uint32_t id : {1u, 4u}) {
        Scenario scenario;
        scenario.algorithm = "bully";
        scenario.nodes = 4;
        scenario.initiators = {simulator::Initiators::Who::listed, {Id{2}}};
        scenario.settings = {{"parts", "40"}};
        scenario.crashes = {{Id{id}, Time{0}}};
        scenario.recoveries = {{Id{id}, 12ms}};
        trace::Trace trace;
        run_named(scenario, &trace);
        if (!takes_state_first(trace, Id{id})) return false;
    }
    return true;
}

// P2's election misses P3, which is down just then; P3 is back and announces itself before P2 does.
Scenario overlooked(const char* grace) {
    Scenario scenario = dead_leader(3, 1);
    scenario.recoveries = {{Id{3}, 1200us}};
    scenario.checks.one_leader = false;
    const Delay fast{Delay::Shape::constant, 100us};
    scenario.links = {{Id{2}, Id{3}, fast}, {Id{3}, Id{1}, fast}, {Id{3}, Id{2}, fast}};
    scenario.settings = {{"grace", grace}};
    return scenario;
}

}  // namespace

Result hand_over(const Effort& effort) {
    const bool last = effort.reads("news", "last");
    const std::uint64_t runs = effort.runs(10'000);
    std::uint64_t complete = 0, split = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = brew({.recoveries = true, .detector = true}, seed);
        scenario.algorithm = "bully";
        scenario.checks.one_leader = false;
        scenario.settings = {{"parts", "20"}};
        complete += ends_well(run_named(effort.read(scenario)));
        scenario.settings = {{"grace", "2ms"}};
        split += !ends_well(run_named(effort.read(scenario)));
    }
    const Outcome hasty = run_named(effort.read(overlooked("2ms"))),
                  patient = run_named(effort.read(overlooked("4ms")));
    const bool splits = hasty.end == Outcome::End::split && (split > 0 || effort.quick);
    const bool agrees = ends_well(hasty) && split == 0;
    const bool good = complete == runs && costs_as_stated() && recovery_takes_state_first() &&
                      ends_well(patient) && (last ? splits : agrees);
    return {
        .status = !good  ? Status::fail
                  : last ? Status::finding
                         : Status::pass,
        .expected =
            "\"it gets the state from the current coordinator and then calls an election\"; "
            "\"Now everyone agrees about the coordinator and the state of the task\"",
        .measured = "2(N-2) messages on top of the N-2; complete and agreed in " +
                    out_of(complete, runs) + "; calling at once, no agreement in " +
                    out_of(split, runs) +
                    " and in the run made for it: " + (ends_well(hasty) ? "agreement" : "none"),
        .unit = "runs",
        .evidence =
            "N = 3, 5, 20; a task of 20 parts through up to 8 crashes and recoveries, seeds 1 "
            "to " +
            std::to_string(runs) +
            ". As printed, a process that recovers calls as soon as it has the state; an "
            "election that overlooked it may still be under way, and somebody may hear of that "
            "one's winner last. If the last news counts, it follows that winner for good, "
            "unless the one that recovered waits 3Tm + Tp; if it ignores a worse one, it calls "
            "once more and all agree.",
        .exhibits = {show("P3 recovers and calls after 2Tm; P1 hears of P2 last",
                          effort.read(overlooked("2ms"))),
                     show("P3 waits until P2's election is over", effort.read(overlooked("4ms")))}};
}

}  // namespace conclave::claims
