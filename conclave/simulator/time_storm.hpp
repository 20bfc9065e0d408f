// Networks of clocks from a seed, with faults of every kind: what the error bounds are tried on.
#pragma once

#include "conclave/simulator/time_run.hpp"

namespace conclave::simulator {

// Two to seven nodes with clocks, paths and noise of any kind that a local network may have; and up
// to four faults: nodes that crash, stop, sleep or are paused, partitions, clocks that are set or
// break. Two minutes of time, which take milliseconds.
TimeScenario random_time_scenario(std::uint64_t seed);

// What many of them showed of the error bounds.
struct StormSummary {
    std::uint64_t runs = 0;
    BoundsOutcome bounds;                  // its widths: the median of each run
    std::vector<Duration> widest;          // likewise, the 99th of a hundred
    std::vector<std::uint64_t> failing{};  // seeds of runs with an excursion

    void add(std::uint64_t seed);  // runs it
};
std::string to_text(const StormSummary& summary);
std::string to_json(const StormSummary& summary);

}  // namespace conclave::simulator
