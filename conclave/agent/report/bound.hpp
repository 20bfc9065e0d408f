// How long a group may be without a leader, computed from its settings alone, and what has to be
// true for that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conclave/core/time.hpp"

namespace conclave::agent {

struct Config;

struct Bound {
    std::uint32_t members = 0, needed = 0;  // a majority
    // The longest time without a running command:
    Duration silent_ns{};    // its leader says nothing, nor does anybody for it
    Duration died_ns{};      // its agent died, and its guardian lives
    Duration handover_ns{};  // it was asked to hand over; without the time to stop
    Duration restart_ns{};   // all nodes started at once, anew or after a crash
    Duration stop_ns{};      // the command may take this long to stop when asked
    bool no_quorum = false;  // then two may lead while they are cut off, and
    Duration overlap_ns{};   // for this long after that; without the time to stop
    Duration killed_ns{};    // it is killed at least this long before its lease ends
    std::string containment{}, covers{};
    std::vector<std::string> assumed{};
};

Bound compute_bound(const Config& config, std::uint32_t members, const std::string& containment);

// For people, without the last line's end.
std::string to_text(const Bound& bound);

}  // namespace conclave::agent
