// All members must have the same detection time, so the slowest machine sets it.
//
// With --stretch a node that hears a longer one, its own doubled a few times, starts again with it.
// Doubling makes machines that are about equally slow come to the same time by themselves.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave::member {

inline constexpr int doublings_most = 6;

// `detect` is `given`, doubled a few times.
constexpr bool is_stretched(Duration detect, Duration given) {
    for (int i = 0; i < doublings_most; ++i) {
        given *= 2;
        if (given == detect) return true;
    }
    return false;
}

// How often `given` must be doubled to be at least `least`, as far as doubling goes.
constexpr int doublings(Duration given, Duration least) {
    int count = 0;
    for (; count < doublings_most && given < least; ++count) given *= 2;
    return count;
}

}  // namespace conclave::member
