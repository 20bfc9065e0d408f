#include "conclave/browser/counterexample.hpp"

#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::browser {

using checker::Verdict;
using checker::What;

namespace {

// The simulator looks at what the card promises, unless told otherwise.
void ask_for(std::string_view property, simulator::Checks& checks) {
    if (property == "one-leader") checks.one_leader = true;
    if (property == "best") checks.best = true;
    if (property == "informed") checks.informed = true;
}

void end_suspicion(simulator::Scenario& scenario, const checker::Fault& trust) {
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
    if (simulator::find_engine(verdict.algorithm)->card->network == Network::graph)
        scenario.graph = query.graph;
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
    for (const checker::Fault& m : verdict.story.faults) {
        switch (m.what) {
            case What::start: scenario.starts.push_back({m.node, m.at}); break;
            case What::call: scenario.calls.push_back({m.node, m.at}); break;
            case What::crash: scenario.crashes.push_back({m.node, m.at}); break;
            case What::recover: scenario.recoveries.push_back({m.node, m.at, true}); break;
            case What::blank: scenario.recoveries.push_back({m.node, m.at, false}); break;
            case What::fault:
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

}  // namespace conclave::browser
