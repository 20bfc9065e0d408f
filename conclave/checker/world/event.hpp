// Everything that can happen to a node.
#pragma once

#include <cstdint>

namespace conclave::checker {

enum class What : std::uint8_t {
    start,
    call,
    message,
    timer,
    suspect,
    trust,
    crash,
    recover,
    blank,
    fault
};

struct Event {
    What what;
    std::uint8_t from = 0;    // sender, or whom the detector speaks of: position + 1
    std::uint32_t which = 0;  // message, timer, who is down when it calls; a start: 0 or that + 1
};

}  // namespace conclave::checker
