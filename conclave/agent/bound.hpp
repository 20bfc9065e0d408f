// How long a group may be without a leader, computed from its settings alone, and what has to be
// true for that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace conclave::agent {

struct Config;

struct Bound {
    std::uint32_t members = 0, needed = 0;  // a majority
    // The longest time without a running command, in milliseconds:
    std::int64_t silent_ms = 0;    // its leader says nothing, nor does anybody for it
    std::int64_t died_ms = 0;      // its agent died, and its guardian lives
    std::int64_t handover_ms = 0;  // it was asked to hand over; without the time to stop
    std::int64_t restart_ms = 0;   // all nodes started at once, anew or after a crash
    std::int64_t stop_ms = 0;      // so long the command may take to stop, when asked to
    bool no_quorum = false;        // then two may lead while they are cut off, and
    std::int64_t overlap_ms = 0;   // so long after that; without the time to stop
    std::int64_t killed_ms = 0;    // so long before its lease ends it is killed, at least
    std::string containment{}, covers{};
    std::vector<std::string> assumed{};
};

Bound compute_bound(const Config& config, std::uint32_t members, const std::string& containment);

// For people, without the last line's end.
std::string to_text(const Bound& bound);

}  // namespace conclave::agent
