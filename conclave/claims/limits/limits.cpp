// The limits of election: CS425 lecture 2023 (Mittal), and Vitányi 1983 on symmetry.
#include <array>

#include "conclave/claims/limited_storm.hpp"
#include "conclave/claims/limits/limits_rows.hpp"
#include "conclave/claims/measuring.hpp"
#include "conclave/core/key.hpp"
#include "conclave/election/itai_rodeh.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::claims {

namespace {

using namespace std::chrono_literals;
using simulator::Initiators;
using simulator::Outcome;
using simulator::Scenario;

// ---------------------------------------------------------------- X1: consensus

// Any processes dead from the start, any callers.
Scenario deciding(const Effort& effort, std::uint64_t seed) {
    Scenario scenario = brew({.faults_max = 0}, seed);
    scenario.algorithm = "consensus";
    scenario.initiators.who = seed % 2 == 0 ? Initiators::Who::all : Initiators::Who::first;
    scenario.calls = {{Id{1}, 20ms}};
    for (std::uint32_t id = 2; id <= scenario.nodes; ++id)
        if ((mix(seed) >> id & 1) != 0) scenario.crashes.push_back({Id{id}, Time{0}});
    return effort.read(scenario);
}

}  // namespace

Result decide_by_election(const Effort& effort) {
    const bool apart = effort.reads("proposals", "all-0");
    const std::uint64_t runs = effort.runs(10'000);
    std::uint64_t alike = 0, odd = 0, invalid = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        const Outcome outcome = run_named(deciding(effort, seed));
        alike += outcome.end == Outcome::End::agreed && !violates(outcome, "decision");
        odd += static_cast<std::uint32_t>(outcome.leader) % 2;
        invalid += violates(outcome, "invariant");
    }
    // Where proposals are apart from ids, every odd winner decides what nobody proposed.
    const bool good = alike == runs && odd > 0 && odd < runs && invalid == (apart ? odd : 0);
    Scenario shown;
    shown.algorithm = "consensus";
    shown.nodes = 3;
    shown.order.how = simulator::Order::How::ascending;
    shown.initiators = {Initiators::Who::listed, {Id{3}}};
    return {.status = !good   ? Status::fail
                      : apart ? Status::finding
                              : Status::pass,
            .expected =
                "\"If we could solve election, then we could solve consensus! Elect a "
                "process, use its id's last bit as the consensus decision\"",
            .measured = out_of(alike, runs) + " decide alike, " + out_of(odd, runs) +
                        " of them 1; decided what nobody proposed in " + out_of(invalid, runs),
            .unit = "runs",
            .evidence =
                "Any processes dead from the start, any callers, delays up to 1ms, seeds 1 to " +
                std::to_string(runs) +
                ". All agree, but the winner's id knows nothing of what was proposed: consensus "
                "also asks for validity. If every process takes an id whose last bit is its "
                "proposal, the decision is the winner's proposal and valid; else the winner must "
                "announce its proposal with itself. Either way it must live until all have heard.",
            .exhibits = {show("P3 wins and decides 1", effort.read(shown))}};
}

namespace {

// ---------------------------------------------------------------- X3: the formal problem

// One run of each algorithm for each caller; the outcome must be good and the same.
struct Callers {
    std::uint64_t runs = 0, good = 0;
    std::string changed;  // algorithms whose leader depends on the caller
    std::string unnoticed;
};

void try_callers(const simulator::Engine& engine, Callers& callers) {
    Id first = nobody;
    bool same = true;
    for (std::uint32_t caller = 1; caller <= 6; ++caller) {
        Scenario scenario;
        scenario.algorithm = engine.card->name;
        scenario.nodes = 6;
        scenario.initiators = {Initiators::Who::listed, {Id{caller}}};
        scenario.until = 3s;
        const Outcome outcome = run_named(scenario);
        ++callers.runs;
        callers.good += ends_well(outcome);
        if (first == nobody) first = outcome.leader;
        same = same && outcome.leader == first;
    }
    if (engine.card->promises.best && !same)
        callers.changed += (callers.changed.empty() ? "" : ", ") + std::string(engine.card->name);
    Scenario broken;  // nobody ever says whom it follows: liveness is gone, and must be missed
    broken.algorithm = engine.card->name;
    broken.until = 1s;
    broken.mutation.what = simulator::Mutation::What::drop_follow;
    if (!violates(run_named(broken), "informed"))
        callers.unnoticed +=
            (callers.unnoticed.empty() ? "" : ", ") + std::string(engine.card->name);
}

Result keep_the_promise(const Effort&) {
    Callers callers;
    for (const simulator::Engine& engine : simulator::engines()) try_callers(engine, callers);
    const bool holds =
        callers.good == callers.runs && callers.changed.empty() && callers.unnoticed.empty();
    return {.status = holds ? Status::pass : Status::fail,
            .expected =
                "every algorithm, every caller: all follow one leader, the best where that "
                "is promised",
            .measured = out_of(callers.good, callers.runs) + " runs good; depends on the caller: " +
                        (callers.changed.empty() ? "none" : callers.changed) +
                        "; broken ones not noticed: " +
                        (callers.unnoticed.empty() ? "none" : callers.unnoticed),
            .unit = "runs",
            .evidence = "All " + std::to_string(simulator::engines().size()) +
                        " algorithms, six processes, each in turn the caller. Safety and liveness "
                        "are judged at the end of every run of the simulator; an algorithm that "
                        "never names a leader is caught by them in each case."};
}

// ---------------------------------------------------------------- X4: symmetry

// Everybody initiates in step and every choice is 0: after each step all processes are in the same
// state, so none can lead unless all do.
bool stays_symmetric(std::uint32_t nodes, Time until, trace::Trace* trace) {
    Scenario scenario;
    scenario.algorithm = "itai-rodeh";
    scenario.nodes = nodes;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.initiators.who = Initiators::Who::all;
    const simulator::DecisionLog always_zero;
    simulator::Decisions decisions = simulator::Decisions::replay(always_zero);
    const auto world = open_named(scenario, decisions, trace);
    const auto& first = world->node<ItaiRodeh>(Id{1});
    for (Time now{}; now <= until; now += 1ms) {
        world->run_until(now);
        for (std::uint32_t id = 1; id <= nodes; ++id)
            if (world->node<ItaiRodeh>(Id{id}) != first || world->leader_of(Id{id}) != nobody)
                return false;
    }
    return true;
}

Result break_symmetry(const Effort& effort) {
    Exhibit exhibit{"Three identical processes that always draw the same", {}};
    bool stuck = stays_symmetric(3, 12ms, &exhibit.trace);
    for (std::uint32_t nodes = 2; nodes <= 12; ++nodes)
        stuck = stuck && stays_symmetric(nodes, 500ms, nullptr);
    const std::uint64_t runs = effort.runs(3'000);
    std::uint64_t elected = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario;
        scenario.algorithm = "itai-rodeh";
        scenario.seed = seed;
        scenario.nodes = 2 + static_cast<std::uint32_t>(seed % 9);
        scenario.initiators.who = Initiators::Who::all;
        elected += ends_well(run_named(scenario));
    }
    return {
        .status = stuck && elected == runs ? Status::pass : Status::fail,
        .expected = "without chance all stay alike for ever; with chance one is elected",
        .measured = std::string(stuck ? "alike after every step, no leader" : "symmetry broken") +
                    "; with chance a leader in " + out_of(elected, runs),
        .unit = "runs",
        .evidence =
            "Itai-Rodeh looks at no name. N = 2 to 12 in step for 500 steps, "
            "every draw replaced by 0; then N = 2 to 10 with draws from seeds 1 to " +
            std::to_string(runs) + ".",
        .exhibits = {exhibit}};
}

// ---------------------------------------------------------------- X5: one election at a time

// How often a node was called while its own election was under way, and how often it then sent
// something. What a turn sends stands right behind the event that caused it.
struct Recalls {
    std::uint64_t calls = 0, answered = 0;
};

void count_recalls(const trace::Trace& trace, Recalls& recalls) {
    using trace::Kind;
    std::vector<bool> busy(64);
    bool recalled = false;
    for (const trace::Record& r : trace.records) {
        if (r.kind == Kind::state)
            busy[static_cast<std::uint32_t>(r.node)] =
                r.text.starts_with("calling") || r.text.starts_with("participating");
        const bool event = r.kind == Kind::call || r.kind == Kind::arrive ||
                           r.kind == Kind::timer || r.kind == Kind::suspect;
        if (event) recalled = r.kind == Kind::call && busy[static_cast<std::uint32_t>(r.node)];
        recalls.calls += event && recalled;
        if (recalled && r.kind == Kind::send) {
            ++recalls.answered;
            recalled = false;
        }
    }
}

Result call_once(const Effort& effort) {
    const std::uint64_t runs = effort.runs(1'000);
    Recalls recalls;
    std::uint64_t good = 0;
    for (const char* name : {"bully", "multicast", "chang-roberts"})
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            Scenario scenario;
            scenario.algorithm = name;
            scenario.seed = seed;
            scenario.delay = {simulator::Delay::Shape::uniform, 100us, 1ms};
            for (std::uint64_t i = 0; i < 12; ++i)
                scenario.calls.push_back({Id{static_cast<std::uint32_t>(1 + (seed + i) % 3)},
                                          Duration(mix(seed * 16 + i) % 6'000'000)});
            trace::Trace trace;
            good += ends_well(run_named(scenario, &trace));
            count_recalls(trace, recalls);
        }
    const bool holds = recalls.calls > runs && recalls.answered == 0 && good == 3 * runs;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "a call during one's own election does nothing; one leader results",
            .measured = std::to_string(recalls.calls) + " such calls, " +
                        std::to_string(recalls.answered) + " began another; one leader in " +
                        out_of(good, 3 * runs),
            .unit = "calls",
            .evidence =
                "bully, multicast and chang-roberts, five processes of which three are "
                "called thirteen times within 6ms; seeds 1 to " +
                std::to_string(runs) + " for each."};
}

}  // namespace

std::span<const Claim> limit_claims() {
    static constexpr std::array rows{
        Claim{"X1", "Election gives consensus: decide the last bit of the winner's id.",
              "An election with a decision around it: all must decide alike, and what somebody "
              "proposed.",
              "conclave sim consensus --nodes 3 --initiators 3 --set proposals=all-0",
              &decide_by_election, "consensus", "proposals"},
        Claim{"X2",
              "In an asynchronous system no election is both safe and live: for each algorithm "
              "with timeouts there is a schedule with two leaders, or one without any for ever.",
              "The checker searches all schedules without a bound on delays.",
              "conclave check bully --nodes 2 --property one-leader", &find_schedules},
        Claim{"X3",
              "Safety: everybody elects the best live process or nobody. Liveness: everybody ends "
              "with a leader. The result does not depend on who calls.",
              "Every algorithm, each of six processes in turn the caller. Then every algorithm "
              "with its announcement of the leader removed.",
              "conclave sim chang-roberts --nodes 6 --initiators 3", &keep_the_promise},
        Claim{"X4",
              "Identical processors cannot elect one deterministically on a ring; with chance they "
              "can (Itai & Rodeh).",
              "A ring in step where every draw gives the same; the states are compared after every "
              "step. Then with draws that differ.",
              "conclave sim itai-rodeh --nodes 7 --initiators all --seeds 1..1000",
              &break_symmetry},
        Claim{"X5", "A process can call for at most one election at a time.",
              "Three of five processes are called again and again while elections are under way.",
              "conclave sim bully --nodes 5 --initiators 1 --call 1@0.5ms --call 1@1ms --trace -",
              &call_once},
    };
    return rows;
}

}  // namespace conclave::claims
