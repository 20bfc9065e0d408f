// The nodes' own clocks: offset, rate error, and a rate that walks.
//
// Time on a node's clock is piecewise linear in real time: within a segment of one second the rate
// is constant. Integers only; a timer never fires before its duration has passed on the node's
// clock.
#pragma once

#include <vector>

#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator {

class Clocks {
public:
    Clocks(const Scenario& scenario, Decisions& decisions);

    bool perfect() const { return clocks_.empty(); }
    // The time that a node reads at a turn, once for each. A replay may say what: the checker's
    // clocks jump.
    Time local(std::uint32_t id, Time real);
    // When, in real time, will `after` have passed on the node's clock?
    Time due(std::uint32_t id, Time real, Duration after);
    // Likewise if the clock keeps its present rate; for those who only look, and draw nothing.
    Time expect(std::uint32_t id, Time real, Duration after) const;

private:
    struct Clock {
        Duration offset{};
        std::int64_t rate_ppb = 0;  // within the segment at hand
        std::uint64_t slowdown = 1;
        std::int64_t segment = 0;
        Time begun{};  // on this clock, at the begin of the segment
        std::uint32_t readings = 0;
    };
    void advance(Clock& clock, Id id);
    void seek(Clock& clock, Id id, Time real);

    std::vector<Clock> clocks_;  // empty: all show real time
    std::int64_t wander_ppb_;
    bool foreseen_;  // a replay says what they show
    Decisions& decisions_;
};

}  // namespace conclave::simulator
