// The rest of the budget of faults, four bits each, as one word of a world.
#pragma once

#include <algorithm>
#include <cstdint>

#include "conclave/checker/query.hpp"

namespace conclave::checker {

enum class FaultKind : std::uint8_t {
    crash,
    recover,
    blank,
    loss,
    duplicate,
    mistake,
    call,
    fault
};

inline std::uint32_t pack(const Budget& b) {
    const std::uint8_t amounts[] = {b.crashes, b.recoveries,    b.blank_recoveries,
                                    b.losses,  b.duplicates,    b.mistakes,
                                    b.calls,   b.process_faults};
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 8; ++i)
        word |= std::uint32_t{std::min<std::uint8_t>(amounts[i], 15)} << (4 * i);
    return word;
}
constexpr std::uint32_t left_in(std::uint32_t budget, FaultKind kind) {
    return budget >> (4 * static_cast<unsigned>(kind)) & 15;
}
constexpr std::uint32_t spent_from(std::uint32_t budget, FaultKind kind) {
    return budget - (1u << (4 * static_cast<unsigned>(kind)));
}
constexpr bool is_calm(std::uint32_t budget) {  // nodes stay as they are
    return left_in(budget, FaultKind::crash) == 0 && left_in(budget, FaultKind::fault) == 0;
}

}  // namespace conclave::checker
