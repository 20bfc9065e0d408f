// What is left of the budget of misfortunes, four bits each, as one word of a world.
#pragma once

#include <algorithm>
#include <cstdint>

#include "conclave/checker/query.hpp"

namespace conclave::checker {

enum class Token : std::uint8_t { crash, recover, blank, loss, duplicate, mistake, call, woe };

inline std::uint32_t pack(const Budget& b) {
    const std::uint8_t amounts[] = {b.crashes, b.recoveries, b.blank_recoveries,
                                    b.losses,  b.duplicates, b.mistakes,
                                    b.calls,   b.woes};
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 8; ++i)
        word |= std::uint32_t{std::min<std::uint8_t>(amounts[i], 15)} << (4 * i);
    return word;
}
constexpr std::uint32_t left_in(std::uint32_t purse, Token token) {
    return purse >> (4 * static_cast<unsigned>(token)) & 15;
}
constexpr std::uint32_t spent_from(std::uint32_t purse, Token token) {
    return purse - (1u << (4 * static_cast<unsigned>(token)));
}
constexpr bool is_calm(std::uint32_t purse) {  // nodes stay as they are
    return left_in(purse, Token::crash) == 0 && left_in(purse, Token::woe) == 0;
}

}  // namespace conclave::checker
