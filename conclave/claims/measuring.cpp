#include "conclave/claims/measuring.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "conclave/checker/checker_engines.hpp"
#include "conclave/core/check.hpp"
#include "conclave/simulator/campaign/shrink.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::claims {

using simulator::Outcome;
using trace::Kind;

namespace {

const simulator::Engine& engine_of(const simulator::Scenario& scenario) {
    const simulator::Engine* engine = simulator::find_engine(scenario.algorithm);
    check(engine != nullptr, "a claim names an algorithm that there is");
    return *engine;
}

Planted planted;

simulator::Scenario with_error(simulator::Scenario scenario) {
    if (planted.mutation != simulator::Mutation{}) scenario.mutation = planted.mutation;
    return scenario;
}

}  // namespace

void plant(const Planted& error) { planted = error; }

checker::Verdict search_named(checker::Query query) {
    query.mute |= planted.mute;
    query.rows_off |= planted.mutation.rows_off;
    return checker::settle_query(query);
}

Outcome run_named(const simulator::Scenario& scenario, trace::Trace* trace) {
    return engine_of(scenario).simulate(with_error(scenario), {.trace = trace});
}

std::unique_ptr<simulator::AnyWorld> open_named(const simulator::Scenario& scenario,
                                                simulator::Decisions& decisions,
                                                trace::Trace* trace) {
    return engine_of(scenario).open_world(with_error(scenario), decisions, trace);
}

Exhibit show(std::string caption, const simulator::Scenario& scenario) {
    Exhibit exhibit{std::move(caption), {}};
    run_named(scenario, &exhibit.trace);
    return exhibit;
}

Exhibit show_smallest(std::string caption, const simulator::Scenario& scenario) {
    Exhibit exhibit{std::move(caption), {}};
    const auto smallest = simulator::shrink(simulator::record_run(scenario));
    simulator::replay_run(smallest.recording, &exhibit.trace);
    return exhibit;
}

std::uint64_t count_of(const Outcome& outcome, std::string_view message) {
    for (const auto& [name, count] : outcome.by_type)
        if (name == message) return count;
    return 0;
}

bool violates(const Outcome& outcome, std::string_view property) {
    return std::any_of(outcome.violations.begin(), outcome.violations.end(),
                       [&](const simulator::Violation& v) { return v.property == property; });
}

bool ends_well(const Outcome& outcome) {
    return outcome.end == Outcome::End::agreed && outcome.violations.empty();
}

Duration longest_overlap(const trace::Trace& trace) {
    IdSet leaders;
    Time since{};
    Duration longest{};
    for (const trace::Record& record : trace.records) {
        const bool two = leaders.size() > 1;
        if (record.kind == Kind::follow && record.other == record.node)
            leaders.insert(record.node);
        else if (record.kind == Kind::follow || record.kind == Kind::crash)
            leaders.erase(record.node);
        if (!two && leaders.size() > 1) since = record.time;
        if (two) longest = std::max(longest, record.time - since);
    }
    return longest;
}

Time last_belief(const trace::Trace& trace) {
    Time last{};
    for (const trace::Record& record : trace.records)
        if (record.kind == Kind::follow) last = record.time;
    return last;
}

std::uint64_t count_timers(const trace::Trace& trace, std::string_view timer) {
    return static_cast<std::uint64_t>(std::count_if(
        trace.records.begin(), trace.records.end(),
        [&](const trace::Record& r) { return r.kind == Kind::timer && r.text == timer; }));
}

std::string out_of(std::uint64_t part, std::uint64_t whole) {
    return std::to_string(part) + " of " + std::to_string(whole);
}

std::string decimal(double value, int digits) {
    char letters[64];
    std::snprintf(letters, sizeof letters, "%.*f", digits, value);
    return letters;
}

bool plausible(std::uint64_t hits, std::uint64_t runs, double p, double z) {
    const auto n = static_cast<double>(runs);
    return std::abs(static_cast<double>(hits) - n * p) <= z * std::sqrt(n * p * (1 - p)) + 1;
}

double Estimate::half_width() const {
    const auto n = static_cast<double>(count_);
    if (count_ < 2) return 0;
    const double variance = std::max(0.0, (squares_ - sum_ * sum_ / n) / (n - 1));
    return 2.576 * std::sqrt(variance / n);
}

std::string Estimate::text(int digits) const {
    return decimal(mean(), digits) + " ± " + decimal(half_width(), digits);
}

}  // namespace conclave::claims
