// The choices that make one run what it is: a log of them tells the run again, in any host.
//
// A choice is named by its purpose, the link (or node) it concerns and a count. A log keeps only
// those that differ from the usual one, so it is short, can be read, and can be edited by hand.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "conclave/core/id.hpp"

namespace conclave::trace {

enum class Purpose : std::uint8_t {
    delay,      // how long a message takes
    lose,       // 1: it is lost
    duplicate,  // else: how far behind the second copy comes, plus one
    reorder,    // how far it falls back
    choose,     // what an algorithm's own choice gives
    detect,     // what a failure detector misses or imagines
    clock,      // offsets and rates
    order,      // of the ring
    fire,       // how long a timer takes
    read,       // what a clock shows when its node takes a turn
};

struct Decision {
    Purpose purpose;
    Id from;  // the node, where no link is concerned
    Id to;
    std::uint32_t count;

    auto operator<=>(const Decision&) const = default;
};

using DecisionLog = std::map<Decision, std::int64_t>;

}  // namespace conclave::trace
