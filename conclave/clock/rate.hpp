// How fast one clock runs against another, as a whole number of parts per trillion.
//
// Whatever the daemon decides must come out the same on every compiler and in a replay, so this
// folder computes with integers only: time in nanoseconds, rates in 10^-12. That is 0.06 ns in a
// minute, far below what any exchange over a network can tell. Products that outgrow 64 bits are
// taken with 128.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

#include "conclave/core/time.hpp"

namespace conclave::clock {

__extension__ typedef __int128 Wide;

struct Rate {
    std::int64_t ppt = 0;
    auto operator<=>(const Rate&) const = default;
};
constexpr Rate operator+(Rate a, Rate b) { return {a.ppt + b.ppt}; }
constexpr Rate operator-(Rate a, Rate b) { return {a.ppt - b.ppt}; }
constexpr Rate operator-(Rate a) { return {-a.ppt}; }
constexpr Rate operator*(std::int64_t n, Rate a) { return {n * a.ppt}; }
constexpr Rate operator/(Rate a, std::int64_t n) { return {a.ppt / n}; }

constexpr Rate ppm(std::int64_t n) { return {n * 1'000'000}; }
constexpr Rate ppb(std::int64_t n) { return {n * 1'000}; }

// No oscillator is worse, not even one that broke beside one that drifts the other way; what is
// measured beyond is no rate but a clock that was set.
inline constexpr Rate rate_limit = ppm(6000);
constexpr Rate clamp(Rate rate, Rate limit) {
    return {std::clamp(rate.ppt, -limit.ppt, limit.ppt)};
}
constexpr Rate magnitude(Rate rate) { return {rate.ppt < 0 ? -rate.ppt : rate.ppt}; }
constexpr Duration magnitude(Duration value) { return value < Duration{0} ? -value : value; }

// Rounded to the nearest, so that errors do not all go one way.
constexpr std::int64_t divide(Wide value, std::int64_t by) {
    const Wide rounded = value < 0 ? value - by / 2 : value + by / 2;
    const auto narrow = static_cast<std::int64_t>(rounded);
    if (narrow == rounded) return narrow / by;  // ten times as fast
    return static_cast<std::int64_t>(rounded / by);
}

// Gain of a clock of this rate in a span of time.
constexpr Duration over(Rate rate, Duration span) {
    return Duration{divide(Wide{rate.ppt} * span.count(), 1'000'000'000'000)};
}
// The rate at which so much is gained in a span of time.
constexpr Rate rate_of(Duration gain, Duration span) {
    return {divide(Wide{gain.count()} * 1'000'000'000'000, span.count())};
}

// The root of a sum of squares, rounded down.
constexpr std::int64_t root(Wide square) {
    if (square <= 0) return 0;
    Wide guess = 1;
    while (guess * guess <= square && guess < (Wide{1} << 62)) guess *= 2;
    for (Wide next = (guess + square / guess) / 2; next < guess;) {
        guess = next;
        next = (guess + square / guess) / 2;
    }
    return static_cast<std::int64_t>(guess);
}

}  // namespace conclave::clock
