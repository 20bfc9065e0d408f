#include "conclave/claims/nemeth/nemeth_failures.hpp"

#include <algorithm>

#include "conclave/claims/measuring.hpp"
#include "conclave/claims/nemeth/nemeth_cases.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"
#include "conclave/election/nemeth.hpp"
#include "conclave/simulator/scenario/words.hpp"

namespace conclave::claims::exchange {

using namespace std::chrono_literals;
using simulator::Outcome;
using simulator::Scenario;
using trace::Kind;
using trace::Record;
using trace::Trace;

namespace {

constexpr Nemeth::Settings standard{};

Status verdict(bool holds) { return holds ? Status::pass : Status::fail; }

// From the failure until somebody becomes a candidate.
Duration noticed_after(const Trace& trace) {
    Time failure = never;
    for (const Record& record : trace.records) {
        if (record.kind == Kind::crash) failure = record.time;
        if (record.kind == Kind::state && record.text == "candidate" && record.time > failure)
            return record.time - failure;
    }
    return never;
}

}  // namespace

// ---------------------------------------------------------------- N6: constraint B'

Result bound_elections(const Effort& effort) {
    const Duration bound =
        std::max(standard.life_timer, standard.election_timer) + 2 * k + standard.candidate_timer;
    const std::uint64_t runs = effort.runs(10'000);
    Delays worst;
    std::uint64_t good = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Trace trace;
        Scenario scenario = failing(seed);
        scenario.settings = effort.reading;
        const Outcome outcome = run_named(scenario, &trace);
        const Delays delays = delays_of(trace);
        worst.election = std::max(worst.election, delays.election);
        worst.reorganization = std::max(worst.reorganization, delays.reorganization);
        good += outcome.end == Outcome::End::agreed && outcome.violations.empty();
    }
    Scenario elect = steady(4);  // the node that is about to win fails, then the next
    elect.crashes = {{Id{1}, 2500us}, {Id{2}, 10500us}};
    elect.until = 25ms;
    Exhibit exhibit{
        "Each time the node that is being elected fails: the election timers of the "
        "others awake, and the election is only longer. " +
            to_command(elect),
        {}};
    run_named(elect, &exhibit.trace);
    return {.status = verdict(good == runs && worst.election <= bound &&
                              worst.reorganization <= standard.reorganizing_timer),
            .expected = "max(L,t)+2k+T = " + format_duration(bound) +
                        ", then R = " + format_duration(standard.reorganizing_timer),
            .measured = "at most " + format_duration(worst.election) + ", then at most " +
                        format_duration(worst.reorganization),
            .unit = "time after the last failure",
            .evidence = std::to_string(runs) +
                        " runs of 3 to 6 nodes, all but one of which may "
                        "fail within 60 k, delays up to k: in " +
                        std::to_string(good) +
                        " one coordinator at all times and agreement in the end.",
            .exhibits = {std::move(exhibit)},
            .plots = {}};
}

// ---------------------------------------------------------------- N7: logical clocks

Result order_events(const Effort& effort) {
    const std::uint64_t runs = effort.runs(2000);
    std::uint64_t messages = 0, faults = 0;
    std::string fault;
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
        for (const auto& scenario_of : {&failing, &returning}) {
            Trace trace;
            Scenario scenario = scenario_of(seed);
            scenario.settings = effort.reading;
            messages += run_named(scenario, &trace).delivered;
            const std::string found = clock_fault(trace);
            if (found.empty()) continue;
            ++faults;
            fault = ": " + found;
        }
    return {.status = verdict(faults == 0),
            .expected = "0",
            .measured = std::to_string(faults) + fault,
            .unit = "runs that break 9.1 or 9.2",
            .evidence = std::to_string(2 * runs) + " runs with failures and returns, " +
                        std::to_string(messages) +
                        " messages received: each stamp that a node "
                        "sends exceeds all it sent before and all it received.",
            .exhibits = {},
            .plots = {}};
}

// ---------------------------------------------------------------- N8: the list, two-phase commit

Result commit_everywhere(const Effort& effort) {
    std::uint64_t runs = 0, lists = 0, commits = 0;
    std::string fault;
    const auto audit = [&](const Scenario& scenario) {
        Trace trace;
        run_named(scenario, &trace);
        ++runs;
        const std::string list = list_fault(trace), commit = commit_fault(trace);
        lists += !list.empty();
        commits += !commit.empty();
        if (!list.empty() || !commit.empty()) fault = ": " + list + commit;
    };
    const std::uint64_t seeds = effort.quick ? 1 : 10;
    for (std::uint32_t nodes = 2; nodes <= 4; ++nodes)
        for (std::uint64_t seed = 0; seed <= seeds; ++seed) {
            Scenario whole = seed == 0 ? steady(nodes) : lively(nodes, seed);
            whole.until = 18ms;
            for (Scenario& scenario : failing_anywhere(whole)) {
                scenario.until = 80ms;
                audit(scenario);
            }
        }
    for (std::uint64_t seed = 1; seed <= effort.runs(2000); ++seed) audit(failing(seed));
    Scenario half = steady(3);
    half.crashes = {{Id{1}, 5ms + Duration{1}}};  // as it has sent the commit to 2, not to 3
    half.cuts = {{Id{1}, Id{3}, {5ms, 5ms + Duration{1}}}};
    half.until = 30ms;
    Exhibit exhibit{
        "The coordinator fails when only one member has been told to apply. The next "
        "one learns that from the acknowledgements, and all apply.",
        {}};
    run_named(half, &exhibit.trace);
    return {.status = verdict(lists == 0 && commits == 0),
            .expected = "0 and 0",
            .measured = std::to_string(lists) + " and " + std::to_string(commits) + fault,
            .unit = "runs with a wrong list, with a half-applied configuration",
            .evidence = std::to_string(runs) +
                        " runs: one failure of each node before and after "
                        "each event and between any two copies of a message, and many at random.",
            .exhibits = {std::move(exhibit)},
            .plots = {}};
}

// ---------------------------------------------------------------- N9, N10

Result notice_silence(const Effort& effort) {
    const std::uint64_t runs = effort.runs(1000);
    Duration coordinator{}, member{};
    std::uint64_t good = 0;
    std::vector<Exhibit> exhibits{{"A coordinator falls silent.", {}},
                                  {"A node falls silent.", {}}};
    for (std::uint64_t seed = 1; seed <= 2 * runs; ++seed) {
        const bool first = seed % 2 == 1;
        Scenario scenario = lively(4, seed);
        scenario.crashes = {{first ? Id{1} : Id{3}, 20ms + seed % 50 * k / 10}};
        scenario.until = 60ms;
        Trace trace;
        const Outcome outcome = run_named(scenario, &trace);
        good += outcome.violations.empty() && outcome.end == Outcome::End::agreed &&
                (outcome.leader == Id{1}) != first;
        Duration& longest = first ? coordinator : member;
        longest = std::max(longest, noticed_after(trace));
        if (seed <= 2) exhibits[seed - 1].trace = std::move(trace);
    }
    const Duration patience = standard.life_timer + k, rounds = 2 * standard.life_interval;
    return {.status = verdict(good == 2 * runs && coordinator <= patience && member <= rounds),
            .expected = "L+k = " + format_duration(patience) +
                        ", two life intervals = " + format_duration(rounds),
            .measured =
                "at most " + format_duration(coordinator) + ", at most " + format_duration(member),
            .unit = "until a silent coordinator, a silent node is noticed",
            .evidence = std::to_string(good) + " of " + std::to_string(2 * runs) +
                        " runs of 4 nodes were re-elected and reorganized without the silent one.",
            .exhibits = std::move(exhibits),
            .plots = {}};
}

Result lose_messages(const Effort&) {
    Result result{.status = Status::pass,
                  .expected = "two coordinators",
                  .measured = "two coordinators",
                  .unit = "at once",
                  .evidence =
                      "One lost candidate message, and a partition that heals: without "
                      "assumption 3 constraint A does not hold.",
                  .exhibits = {},
                  .plots = {}};
    for (const std::string_view name : {"lost-message", "partition"}) {
        const Case told = find_case(name);
        result.exhibits.push_back(exhibit_of(told));
        if (two_coordinators(run_named(told.scenario))) continue;
        result.status = Status::fail;
        result.measured = "one coordinator";
    }
    return result;
}

}  // namespace conclave::claims::exchange
