// One character of a text that is shown to people.
//
// Texts come from strangers (a node's report, a published value), so control characters and marks
// that turn the direction of writing never get through to a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace conclave {

inline constexpr char32_t unreadable = 0xfffd;

// Takes the first character off `text`. What is not UTF-8, or would steer the terminal: unreadable.
char32_t take_glyph(std::string_view& text);

// The longest value that a leader may publish, in bytes.
inline constexpr std::size_t published_most = 256;
// Empty when a leader may publish it, else what would be right.
std::string published_problem(std::string_view value);

}  // namespace conclave
