// Numbers as old protocols write them: the greatest byte first, at a fixed place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace conclave::wire {

inline void put_number(std::span<std::byte> bytes, std::size_t at, std::size_t size,
                       std::uint32_t value) {
    for (std::size_t i = 0; i < size; ++i)
        bytes[at + i] = static_cast<std::byte>(value >> 8 * (size - 1 - i));
}

inline std::uint32_t get_number(std::span<const std::byte> bytes, std::size_t at,
                                std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

}  // namespace conclave::wire
