// One run of one algorithm. Defined per algorithm in a translation unit of its own, so that a
// dozen algorithms compile side by side and a change in one recompiles one.
#pragma once

#include <memory>
#include <string>

#include "conclave/core/card.hpp"
#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/world/any_world.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::simulator {

// The companions of a run: a trace to fill, a log of decisions to fill, one to follow.
struct Tape {
    trace::Trace* trace = nullptr;
    DecisionLog* record = nullptr;
    const DecisionLog* replay = nullptr;
};

template <class A>
Outcome simulate(const Scenario& scenario, const Tape& tape = {});

// The same run for those who look at it as it goes; `decisions` and `trace` outlive it.
template <class A>
std::unique_ptr<AnyWorld> open_world(const Scenario& scenario, Decisions& decisions,
                                     trace::Trace* trace = nullptr);

// Empty when the algorithm accepts the scenario's settings, else a sentence.
template <class A>
std::string settings_problem(const Scenario& scenario);

}  // namespace conclave::simulator
