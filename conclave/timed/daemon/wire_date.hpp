// Dates in 32 bits of seconds, as TSP carries them.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave::timed {

// Of all the times that the seconds of a datagram can mean, the nearest to ours: so a date beyond
// January 2038 is understood, and one before it by a daemon that does the same.
inline Time nearest_to(Time here, Time said) {
    constexpr Duration era = std::chrono::seconds(std::int64_t{1} << 32);
    while (said - here > era / 2) said -= era;
    while (here - said > era / 2) said += era;
    return said;
}

// BSD timed takes the seconds of SETTIME for a signed number: a date beyond January 2038 would
// send it to 1901. What it can be told there are differences.
inline bool bsd_understands(Time date) {
    constexpr Duration most = std::chrono::seconds(std::int64_t{1} << 31);
    return date >= -most && date < most;
}

// "+3s", "-1h".
inline std::string signed_text(Duration by) {
    return (by < Duration{0} ? "" : "+") + format_duration(by);
}

// As clocks and trailers can bear it.
inline bool is_possible_date(Time date) {
    constexpr Time year_2100 = std::chrono::seconds(4'102'444'800);
    return date >= Time{0} && date < year_2100;
}

}  // namespace conclave::timed
