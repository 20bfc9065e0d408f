// Bad weather from a seed: crashes, recoveries and partitions at random, within stated limits.
//
// A seed gives the same storm whatever the algorithm, so that algorithms can be compared in it.
#pragma once

#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::claims {

struct LimitedStorm {
    std::uint32_t nodes_min = 3, nodes_max = 8;
    std::uint32_t faults_max = 8;
    Duration gap_max = std::chrono::milliseconds(15);  // between two faults; half of them come fast
    bool recoveries = false;
    bool partitions = false;
    bool detector = true;  // who failed is told to all, later than its last message arrives;
                           // else somebody calls after every fault, and a live node at the end
    Duration calm = std::chrono::milliseconds(400);  // after the last fault, up to the end
};

// Delays up to 1ms; one node stays up at least; the last partition heals.
simulator::Scenario brew(const LimitedStorm& storm, std::uint64_t seed);

}  // namespace conclave::claims
