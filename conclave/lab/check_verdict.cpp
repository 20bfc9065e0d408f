#include <cmath>
#include <cstdio>

#include "conclave/core/count.hpp"
#include "conclave/core/text.hpp"
#include "conclave/lab/check.hpp"

namespace conclave::cli {

namespace {

using checker::Verdict;
using checker::What;

std::string rate_of(const checker::Searched& searched) {
    return std::to_string(static_cast<std::uint64_t>(
        searched.seconds > 0 ? static_cast<double>(searched.states) / searched.seconds : 0));
}

std::string list_json(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + quote(name);
    return "[" + list + "]";
}

// A set of some thousand worlds tells nothing about a large one: it never gets smaller than that.
std::string room_of(const checker::Searched& searched) {
    if (searched.set_states < 20'000) return {};
    char text[40];
    std::snprintf(
        text, sizeof text, ", %.1f bytes a state",
        static_cast<double>(searched.set_bytes) / static_cast<double>(searched.set_states));
    return text;
}

std::string counterexample_json(const Verdict& verdict) {
    std::string list;
    for (const auto& record : verdict.story.trace.records)
        list += (list.empty() ? "" : ",") + ("{\"time_ns\":" + json(record.time)) +
                ",\"kind\":" + quote(name_of(record.kind)) + ",\"node\":" + text(record.node) +
                ",\"other\":" + text(record.other) + ",\"text\":" + quote(record.text) + "}";
    return "[" + list + "]";
}

}  // namespace

std::string verdict_json(const Verdict& verdict) {
    const auto& done = verdict.searched;
    char collision[32];
    std::snprintf(collision, sizeof collision, "%.3g", verdict.collision);
    return "{\"algorithm\":" + quote(verdict.algorithm) +
           ",\"nodes\":" + std::to_string(verdict.nodes) +
           ",\"states\":" + std::to_string(done.states) +
           ",\"transitions\":" + std::to_string(done.transitions) +
           ",\"depth\":" + std::to_string(done.depth) + ",\"complete\":" + json(done.complete) +
           ",\"verdict\":" + json(verdict.answer) +
           ",\"property\":" + (verdict.property.empty() ? "null" : quote(verdict.property)) +
           ",\"what\":" + quote(verdict.what) + ",\"untested\":" + list_json(verdict.untested) +
           ",\"rows_missing\":" + list_json(verdict.rows_silent) +
           ",\"coarse\":" + json(verdict.coarse) + ",\"collision_probability\":" + collision +
           ",\"set_bytes\":" + std::to_string(done.set_bytes) +
           ",\"circle\":" + std::to_string(verdict.circle) +
           ",\"counterexample\":" + counterexample_json(verdict) +
           ",\"shortest\":" + json(done.found.shortest) + ",\"states_per_s\":" + rate_of(done) +
           "}";
}

std::string verdict_text(const Verdict& verdict) {
    const auto& done = verdict.searched;
    std::string lines = verdict.algorithm + ", " + count_of(verdict.nodes, "node") + ": ";
    switch (verdict.answer) {
        case Verdict::Answer::holds: lines += "holds"; break;
        case Verdict::Answer::violated:
            lines += "violated: " + verdict.property + ": " + verdict.what;
            break;
        case Verdict::Answer::unknown:
            lines +=
                "no answer before the limit" + (verdict.what.empty() ? "" : ": " + verdict.what);
            break;
    }
    char seconds[40], collision[60];
    std::snprintf(seconds, sizeof seconds, "%.2f s", done.seconds);
    std::snprintf(collision, sizeof collision, ", chance of a collision %.1g", verdict.collision);
    lines += "\n" + count_of(done.states, "state") + ", " +
             count_of(done.transitions, "transition") + ", depth " + std::to_string(done.depth) +
             (done.complete ? ", complete" : "") + "; " + seconds + room_of(done) + collision +
             "\n";
    for (const std::string& row : verdict.rows_silent) lines += "never fires: " + row + "\n";
    for (const std::string& name : verdict.untested)
        lines += "never had a chance to fail: " + name + "\n";
    if (verdict.coarse)
        lines += "choices among very many were tried at evenly spaced places only\n";
    return lines;
}

namespace {

// The simulator looks at what the card promises, unless told otherwise.
void ask_for(std::string_view property, simulator::Checks& checks) {
    if (property == "one-leader") checks.one_leader = true;
    if (property == "best") checks.best = true;
    if (property == "informed") checks.informed = true;
}

void end_suspicion(simulator::Scenario& scenario, const checker::Misfortune& trust) {
    for (simulator::Suspicion& each : scenario.suspicions)
        if (each.observer == trust.node && each.suspected == trust.other &&
            each.when.until == never)
            each.when.until = trust.at;
}

// There is a detector, so that callers are told nothing when they call; what it notices and when is
// in the recording, one by one, and nothing else.
void silence_detector(simulator::Recording& recording) {
    simulator::Scenario& scenario = recording.scenario;
    scenario.detector.on = true;
    std::vector<std::uint32_t> times(scenario.nodes);  // that each fell or came back
    for (const simulator::Crash& crash : scenario.crashes)
        ++times[static_cast<std::uint32_t>(crash.node) - 1];
    for (const simulator::Recovery& recovery : scenario.recoveries)
        ++times[static_cast<std::uint32_t>(recovery.node) - 1];
    for (std::uint32_t of = 1; of <= scenario.nodes; ++of)
        for (std::uint32_t count = 1; count <= times[of - 1]; ++count)
            for (std::uint32_t by = 1; by <= scenario.nodes; ++by)
                if (by != of)
                    recording.decisions[{trace::Purpose::detect, Id{by}, Id{of}, 2 * count}] = 1;
}

}  // namespace

simulator::Recording to_recording(const checker::Query& query, const Verdict& verdict) {
    simulator::Recording recording;
    simulator::Scenario& scenario = recording.scenario;
    scenario.algorithm = verdict.algorithm;
    scenario.nodes = verdict.nodes;
    scenario.order = {simulator::Order::How::listed, query.ring};
    scenario.settings = query.settings;
    for (const auto& [id, priority] : query.attributes)
        scenario.attributes.push_back({id, priority});
    scenario.initiators = {simulator::Initiators::Who::none, {}};
    if (!query.start_steps && !query.initiators.empty())
        scenario.initiators = {simulator::Initiators::Who::listed, query.initiators};
    scenario.mutation.rules_off = query.rules_off;
    scenario.scope = simulator::LeaderScope::overall;
    ask_for(verdict.property, scenario.checks);
    scenario.until = verdict.story.end;
    recording.decisions = verdict.story.decisions;
    for (const checker::Misfortune& m : verdict.story.misfortunes) {
        switch (m.what) {
            case What::start: scenario.starts.push_back({m.node, m.at}); break;
            case What::call: scenario.calls.push_back({m.node, m.at}); break;
            case What::crash: scenario.crashes.push_back({m.node, m.at}); break;
            case What::recover: scenario.recoveries.push_back({m.node, m.at, true}); break;
            case What::blank: scenario.recoveries.push_back({m.node, m.at, false}); break;
            case What::woe:
                scenario.mishaps.push_back({m.node, m.at, static_cast<std::uint8_t>(m.which)});
                break;
            case What::suspect:
                scenario.suspicions.push_back({m.node, m.other, {m.at, never}});
                break;
            case What::trust: end_suspicion(scenario, m); break;
            default: break;
        }
    }
    if (query.detector) silence_detector(recording);
    return recording;
}

}  // namespace conclave::cli
