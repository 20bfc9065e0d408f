// How far one clock is ahead of another, as a straight line: so much then, and growing so fast.
//
// A line never grows old by being late, repeated or lost: it says the same whenever it is read.
// Corrections are therefore lines, and a slave that hears nothing coasts on the last one.
#pragma once

#include "conclave/clock/rate.hpp"

namespace conclave::clock {

struct Line {
    Time at{};          // on the clock that the line starts from
    Duration offset{};  // the other clock minus this one, then
    Rate rate{};        // by which that grows

    constexpr Duration operator()(Time time) const { return offset + over(rate, time - at); }
    constexpr Line moved_to(Time time) const { return {time, (*this)(time), rate}; }
    bool operator==(const Line&) const = default;
};

// Two lines that start from clock A, one to B and one to C: the line that starts from B to C, at
// the moment when A shows `time`.
constexpr Line between(const Line& to_b, const Line& to_c, Time time) {
    const Duration b = to_b(time);
    constexpr std::int64_t whole = 1'000'000'000'000;
    const Wide gain = Wide{to_c.rate.ppt - to_b.rate.ppt} * whole;
    return {time + b, to_c(time) - b, Rate{divide(gain, whole + to_b.rate.ppt)}};
}

}  // namespace conclave::clock
