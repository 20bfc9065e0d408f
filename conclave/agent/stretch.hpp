// --stretch: times that a machine cannot keep are doubled until it can.
//
// A promise must last equally long on all members, so the slowest machine sets the times of the
// group: who hears of a stretched time starts again with it. Doubling makes machines that are about
// equally slow come to the same time by themselves.
#pragma once

#include "conclave/agent/config.hpp"

namespace conclave::agent {

inline constexpr int doublings_most = 6;

// `detect` is `given`, doubled a few times.
constexpr bool is_stretched(Duration detect, Duration given) {
    for (int i = 0; i < doublings_most; ++i) {
        given *= 2;
        if (given == detect) return true;
    }
    return false;
}

// With a detection time of at least `least`, as far as doubling goes.
inline Config stretch(Config config, Duration least) {
    for (int i = 0; i < doublings_most && config.detect < least; ++i) {
        config.detect *= 2;
        config.heartbeat *= 2;
        config.grace *= 2;
    }
    return config;
}

}  // namespace conclave::agent
