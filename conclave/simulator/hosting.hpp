// The bodies of simulate.hpp; included only where an algorithm meets this host.
#pragma once

#include "conclave/core/check.hpp"
#include "conclave/core/count.hpp"
#include "conclave/core/settings.hpp"
#include "conclave/simulator/simulate.hpp"
#include "conclave/simulator/storm.hpp"
#include "conclave/simulator/world.hpp"

namespace conclave::simulator {

// Before anybody sets anything.
template <class A>
typename A::Turn::Settings usual_settings() {
    return {};
}

template <class A>
typename A::Turn::Settings settings_of(const Scenario& scenario, std::string& problem) {
    typename A::Turn::Settings settings = usual_settings<A>();
    for (const auto& [key, value] : scenario.settings) {
        problem = apply_setting(settings, key, value);
        if (!problem.empty()) break;
    }
    return settings;
}

template <class A>
std::string settings_problem(const Scenario& scenario) {
    std::string problem;
    settings_of<A>(scenario, problem);
    return problem;
}

template <class A>
Outcome simulate(const Scenario& scenario, const Tape& tape) {
    std::string problem;
    const auto settings = settings_of<A>(scenario, problem);
    check(problem.empty(), "settings are checked before a run");
    Decisions decisions =
        tape.replay != nullptr ? Decisions::replay(*tape.replay) : Decisions(scenario.seed);
    if (tape.record != nullptr) decisions.record_into(*tape.record);
    if (tape.trace != nullptr)
        tape.trace->title = std::string(A::card.name) + ", " + count_of(scenario.nodes, "node") +
                            ", seed " + std::to_string(scenario.seed);
    if (scenario.storm == Duration{0})
        return World<A>(scenario, settings, decisions, tape.trace).run();
    return World<A>(brew(scenario), settings, decisions, tape.trace).run();
}

}  // namespace conclave::simulator
