// Terminal columns: how wide a text prints, as opposed to how many bytes it has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/glyph.hpp"

namespace conclave::trace {

// 0 for a combining mark, 2 for the wide scripts of East Asia and for emoji, 1 for the rest.
std::size_t columns_of(char32_t glyph);
std::size_t columns_of(std::string_view text);
void append_glyph(std::string& text, char32_t glyph);

// At most so many columns, with "…" in place of what had to go.
std::string clip(std::string_view text, std::size_t columns);
// Lines of at most so many columns, broken at spaces where there are any.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

}  // namespace conclave::trace
