// One exchange between master and slave, and what it says about their clocks.
//
// The master asks at T1 on its clock, the slave gets it at T2 on its own and answers at T3, the
// master gets that at T4. The way there shows as T2-T1 = offset + delay, the way back as
// T4-T3 = delay - offset: half the difference is the offset, wrong by half of what the two delays
// differ; the sum is the time spent under way. A delay that is the same both ways, however long,
// cancels. All four are times of clocks that nobody corrects, so that a window of samples remains
// one straight line whatever was corrected meanwhile.
#pragma once

#include "conclave/clock/rate.hpp"

namespace conclave::clock {

struct Exchange {
    Time asked{}, received{}, answered{}, returned{};  // T1 T2 T3 T4
};

struct Sample {
    Time at{};                 // on the master's clock, half-way
    Duration there{}, back{};  // the slave's clock minus the master's, plus and minus a delay

    constexpr Duration round_trip() const { return there + back; }
    constexpr Duration offset() const { return (there - back) / 2; }
};

constexpr Sample sample_of(const Exchange& e) {
    return {e.asked + (e.returned - e.asked) / 2, e.received - e.asked, e.returned - e.answered};
}

}  // namespace conclave::clock
