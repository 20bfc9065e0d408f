// Whole numbers that grow fast and stop at a ceiling instead of overflowing.
#pragma once

#include <bit>
#include <cstdint>

namespace conclave {

inline constexpr std::uint64_t ceiling = std::uint64_t{1} << 61;  // as nanoseconds: 73 years

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > ceiling / b ? ceiling : a * b;
}

constexpr std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    if (base < 2) return exponent == 0 ? 1 : base;
    std::uint64_t result = 1;
    for (; exponent != 0 && result != ceiling; --exponent) result = times(result, base);
    return result;
}

// i to the power 1.5, rounded down; a little less from 2^16 on.
constexpr std::uint64_t root_power(std::uint32_t i) {
    std::uint64_t root = 0;  // of i, with 16 bits behind the point
    for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= std::uint64_t{i} << 32) root += bit;
    return i * root >> 16;
}

// Digits 1 and 2 with binary weights: 1, 2, 11, 12, 21, 22, 111 ...; so many of them.
constexpr std::uint64_t dyadic_digits(std::uint64_t number) {
    return static_cast<std::uint64_t>(std::bit_width(number + 1)) - 1;
}

}  // namespace conclave
