// Bad weather from a seed: faults of every kind, one on top of the other, and then fair weather.
//
// A storm is a plain scenario, so that a run in a storm is recorded, replayed and shrunk
// as any other.
#pragma once

#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator {

// The scenario without its storm, with all that the storm does: machines that crash and come up
// again, with what they stored or, once at most, without; nodes that stand still; partitions and
// one-way cuts; late, lost, doubled and reordered messages; clocks that are wrong; and where there
// is a lease, agents and guardians that die or stand still, a state file that vanishes, operators
// who want somebody to leave. What the scenario says itself stays. When the storm is over all is
// well again, and the run goes on until all should be settled.
Scenario brew(const Scenario& scenario);

}  // namespace conclave::simulator
