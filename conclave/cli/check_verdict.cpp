#include <cmath>
#include <cstdio>

#include "conclave/cli/check.hpp"
#include "conclave/core/text.hpp"

namespace conclave::cli {

namespace {

using checker::Verdict;
using checker::What;

std::string rate_of(const checker::Searched& searched) {
    return std::to_string(static_cast<std::uint64_t>(
        searched.seconds > 0 ? static_cast<double>(searched.states) / searched.seconds : 0));
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
    std::string untested;
    for (const std::string& name : verdict.untested)
        untested += (untested.empty() ? "" : ",") + quote(name);
    char collision[32];
    std::snprintf(collision, sizeof collision, "%.3g", verdict.collision);
    return "{\"algorithm\":" + quote(verdict.algorithm) +
           ",\"nodes\":" + std::to_string(verdict.nodes) +
           ",\"states\":" + std::to_string(done.states) +
           ",\"transitions\":" + std::to_string(done.transitions) +
           ",\"depth\":" + std::to_string(done.depth) + ",\"complete\":" + json(done.complete) +
           ",\"verdict\":" + json(verdict.answer) +
           ",\"property\":" + (verdict.property.empty() ? "null" : quote(verdict.property)) +
           ",\"what\":" + quote(verdict.what) + ",\"untested\":[" + untested +
           "],\"coarse\":" + json(verdict.coarse) + ",\"collision_probability\":" + collision +
           ",\"set_bytes\":" + std::to_string(done.set_bytes) +
           ",\"circle\":" + std::to_string(verdict.circle) +
           ",\"counterexample\":" + counterexample_json(verdict) +
           ",\"states_per_s\":" + rate_of(done) + "}";
}

std::string verdict_text(const Verdict& verdict) {
    const auto& done = verdict.searched;
    std::string lines = verdict.algorithm + ", " + std::to_string(verdict.nodes) + " nodes: ";
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
    char numbers[200];
    std::snprintf(numbers, sizeof numbers, "%.2f s, %.1f bytes a state, chance of a collision %.1g",
                  done.seconds,
                  static_cast<double>(done.set_bytes) /
                      static_cast<double>(std::max<std::uint64_t>(done.states, 1)),
                  verdict.collision);
    lines += "\n" + std::to_string(done.states) + " states, " + std::to_string(done.transitions) +
             " transitions, depth " + std::to_string(done.depth) +
             (done.complete ? ", complete" : "") + "; " + numbers + "\n";
    for (const std::string& name : verdict.untested)
        lines += "never had a chance to fail: " + name + "\n";
    if (verdict.coarse)
        lines += "choices among very many were tried at evenly spaced places only\n";
    return lines;
}

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
    scenario.until = verdict.story.end;
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
            default: break;
        }
    }
    recording.decisions = verdict.story.decisions;
    return recording;
}

}  // namespace conclave::cli
