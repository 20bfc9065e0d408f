// The answer to a program that asks for the time: an interval that contains it.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave {

enum class TimeStatus : std::uint8_t {
    unknown,      // nothing is known: the interval holds all times
    holdover,     // nobody corrects this machine's clock at the moment: the interval grows
    synchronised  // with a network of which others keep the time as well
};
constexpr std::string_view name_of(TimeStatus status) {
    constexpr std::string_view names[] = {"unknown", "holdover", "synchronised"};
    return names[static_cast<std::size_t>(status)];
}

// The network's time lies between the two ends, which are times since 1970.
struct TimeInterval {
    Time earliest = Time::min(), latest = Time::max();
    TimeStatus status = TimeStatus::unknown;

    bool operator==(const TimeInterval&) const = default;
};

}  // namespace conclave
