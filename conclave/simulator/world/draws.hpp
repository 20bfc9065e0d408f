// From 64 random bits to a number in a range or an exponential delay, with integers only, so that
// every compiler and every machine draws the same.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator {

// Uniform over 0 .. n-1.
constexpr std::uint64_t below(std::uint64_t n, std::uint64_t bits) {
    if (n <= 0xffffffff) return ((bits >> 32) * n) >> 32;
    return bits % n;
}
// Uniform over -limit .. limit.
constexpr std::int64_t spread(std::int64_t limit, std::uint64_t bits) {
    return static_cast<std::int64_t>(below(2 * static_cast<std::uint64_t>(limit) + 1, bits)) -
           limit;
}

namespace detail {

// log2(1 + i/256) in units of 2^-32, by repeated squaring.
constexpr std::uint64_t fraction_log2(std::uint32_t i) {
    std::uint64_t x = (std::uint64_t{256 + i}) << 23;  // 1 + i/256 with 31 bits behind the point
    std::uint64_t result = 0;
    for (int bit = 31; bit >= 0; --bit) {
        x = (x * x) >> 31;
        if (x >> 32 == 0) continue;
        result |= std::uint64_t{1} << bit;
        x >>= 1;
    }
    return result;
}
inline constexpr auto log2_table = [] {
    std::array<std::uint64_t, 257> table{};
    for (std::uint32_t i = 0; i < 256; ++i) table[i] = fraction_log2(i);
    table[256] = std::uint64_t{1} << 32;
    return table;
}();

}  // namespace detail

// -ln(u) for u uniform over (0, 1], in units of 2^-26: table of 257 logarithms, linear between.
constexpr std::uint64_t minus_log(std::uint64_t bits) {
    bits |= 1;
    const auto zeros = static_cast<unsigned>(std::countl_zero(bits));
    const std::uint64_t mantissa = bits << zeros;  // 1.xxx with 63 bits behind the point
    const auto slot = static_cast<std::size_t>(mantissa >> 55 & 255);
    const std::uint64_t within = mantissa >> 31 & 0xffffff;
    const std::uint64_t low = detail::log2_table[slot], high = detail::log2_table[slot + 1];
    const std::uint64_t fraction = low + (((high - low) * within) >> 24);
    const std::uint64_t log2 = (std::uint64_t{zeros + 1} << 32) - fraction;  // -log2(u) * 2^32
    constexpr std::uint64_t ln2 = 46516320;                                  // ln 2 * 2^26
    return (log2 >> 6) * ln2 >> 26;
}

constexpr std::int64_t draw_delay(const Delay& delay, std::uint64_t bits) {
    const auto low = static_cast<std::uint64_t>(delay.low.count());
    switch (delay.shape) {
        case Delay::Shape::constant: return delay.low.count();
        case Delay::Shape::uniform:
            return static_cast<std::int64_t>(
                low + below(static_cast<std::uint64_t>(delay.high.count()) - low + 1, bits));
        case Delay::Shape::exponential: {
            const std::uint64_t log = minus_log(bits);  // below 45 * 2^26
            return static_cast<std::int64_t>((low >> 26) * log + (((low & 0x3ffffff) * log) >> 26));
        }
    }
    return 0;
}

// The default of a replay: the shortest delay, or the mean of an exponential one.
constexpr std::int64_t usual_delay(const Delay& delay) { return delay.low.count(); }

// No message takes longer, but for one exponential delay in 10^8.
constexpr Duration longest_delay(const Delay& delay) {
    if (delay.shape == Delay::Shape::uniform) return delay.high;
    return delay.shape == Delay::Shape::exponential ? 20 * delay.low : delay.low;
}

}  // namespace conclave::simulator
