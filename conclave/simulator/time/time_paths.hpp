// The ways that time packets take: who reaches whom, how long it takes, what gets lost.
#pragma once

#include <unordered_map>

#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/time/time_scenario.hpp"

namespace conclave::simulator {

class TimePaths {
public:
    TimePaths(const TimeScenario& scenario, const Decisions& decisions)
        : scenario_(scenario), decisions_(decisions) {}

    // When a packet that is sent now arrives; never: it does not.
    Time carry(Id from, Id to, Time now);
    bool reaches(Id from, Id to, Time now) const;
    // One number for all nodes of a part, at this time.
    std::uint64_t part_of(Id id, Time now) const;
    bool paused(Id id, Time now) const;

private:
    Duration draw_jitter(Id from, Id to, std::uint32_t count, Time now) const;

    const TimeScenario& scenario_;
    const Decisions& decisions_;
    std::unordered_map<std::uint64_t, std::uint32_t> counts_;  // of packets, by link
};

}  // namespace conclave::simulator
