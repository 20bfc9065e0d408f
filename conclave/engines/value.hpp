// The value of a cell as engines keep it, one line: "conclave 1 LIFE BEAT PROMISE_NS HOLDER".
#pragma once

#include <string>
#include <string_view>

#include "conclave/lease/cell.hpp"

namespace conclave::engines {

struct Value {
    lease::Claim claim{};
    std::string holder{};  // for people; empty where the cell is free
};

std::string to_text(const Value& value);
// False: it is not of this form, and `into` is not to be used.
bool read_value(std::string_view text, Value& into);

// A cell that nobody has written to yet is not free: it may have been removed under a holder. It
// begins as held by nobody, for as long as whoever finds it so holds it.
inline constexpr std::uint64_t founding_life = 1;
Value founding_value(Duration promise);

}  // namespace conclave::engines
