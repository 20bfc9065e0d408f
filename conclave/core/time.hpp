// Time is a whole number of nanoseconds, everywhere; no decision ever touches a fraction.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace conclave {

using Duration = std::chrono::nanoseconds;
using Time = std::chrono::nanoseconds;  // since the clock at hand was started

inline constexpr Time never{std::numeric_limits<std::int64_t>::max()};

// "250ms", "2s", "1.5us", "4min"; "0" needs no unit.
std::optional<Duration> parse_duration(std::string_view text);
// The shortest exact spelling that parse_duration reads back: "1.5ms".
std::string format_duration(Duration value);

}  // namespace conclave
