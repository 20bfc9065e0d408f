// Terminal columns: how wide a text prints, as opposed to how many bytes it has.
//
// A trace carries texts of strangers (a node's report, a reason), so control characters and marks
// that turn the direction of writing never get through to a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace conclave::trace {

// Takes the first character off `text`. What is not UTF-8, or would steer the terminal: U+FFFD.
char32_t take_glyph(std::string_view& text);
// 0 for a combining mark, 2 for the wide scripts of East Asia and for emoji, 1 for the rest.
std::size_t columns_of(char32_t glyph);
std::size_t columns_of(std::string_view text);
void append_glyph(std::string& text, char32_t glyph);

// At most so many columns, with "…" in place of what had to go.
std::string clip(std::string_view text, std::size_t columns);
// Lines of at most so many columns, broken at spaces where there are any.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

}  // namespace conclave::trace
