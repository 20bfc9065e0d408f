// Networks of clocks from a seed, with faults of every kind: what the error bounds are tried on.
#pragma once

#include "conclave/simulator/time_scenario.hpp"

namespace conclave::simulator {

// Two to seven nodes with clocks, paths and noise of any kind that a local network may have; and up
// to four faults: nodes that crash, stop, sleep or are paused, partitions, clocks that are set or
// break. Two minutes of time, which take milliseconds.
TimeScenario random_time_scenario(std::uint64_t seed);

}  // namespace conclave::simulator
