#include "conclave/trace/columns.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace conclave::trace {

namespace {

struct Range {
    char32_t first, last;
};

// clang-format off
constexpr std::array<Range, 17> marks{{
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
    {0x06d6, 0x06dc}, {0x0900, 0x0902}, {0x093c, 0x093c}, {0x0941, 0x0948}, {0x0e31, 0x0e31},
    {0x0e34, 0x0e3a}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20f0}, {0x3099, 0x309a},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}}};

constexpr std::array<Range, 45> wide{{
    {0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0},
    {0x23f3, 0x23f3}, {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f},
    {0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5},
    {0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea}, {0x26f2, 0x26f5}, {0x26fa, 0x26fd},
    {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728}, {0x274c, 0x274e}, {0x2753, 0x2757},
    {0x2795, 0x2797}, {0x27b0, 0x27b0}, {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50},
    {0x2b55, 0x2b55}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},
    {0xf900, 0xfaff}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
    {0x1f18e, 0x1f19a}, {0x1f200, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff},
    {0x20000, 0x3fffd}}};
// clang-format on

bool within(std::span<const Range> ranges, char32_t glyph) {
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), glyph,
                         [](char32_t value, Range range) { return value < range.first; });
    return after != ranges.begin() && glyph <= std::prev(after)->last;
}

}  // namespace

std::size_t columns_of(char32_t glyph) {
    if (glyph < 0x300) return 1;
    return within(marks, glyph) ? 0 : within(wide, glyph) ? 2 : 1;
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) columns += columns_of(take_glyph(text));
    return columns;
}

void append_glyph(std::string& text, char32_t glyph) {
    const auto put = [&](char32_t byte) {
        text += static_cast<char>(static_cast<unsigned char>(byte));
    };
    if (glyph < 0x80) return put(glyph);
    if (glyph < 0x800) {
        put(0xc0 | glyph >> 6);
    } else {
        if (glyph < 0x10000) {
            put(0xe0 | glyph >> 12);
        } else {
            put(0xf0 | glyph >> 18);
            put(0x80 | (glyph >> 12 & 0x3f));
        }
        put(0x80 | (glyph >> 6 & 0x3f));
    }
    put(0x80 | (glyph & 0x3f));
}

std::string clip(std::string_view text, std::size_t columns) {
    std::string out;
    if (columns == 0) return out;
    const bool fits = columns_of(text) <= columns;
    std::size_t room = fits ? columns : columns - 1;
    while (!text.empty()) {
        const char32_t glyph = take_glyph(text);
        if (columns_of(glyph) > room) break;
        room -= columns_of(glyph);
        append_glyph(out, glyph);
    }
    return fits ? out : out + "…";
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    std::string line;
    std::size_t used = 0, space = std::string::npos;  // `space`: where `line` may be broken
    while (!text.empty()) {
        const char32_t glyph = take_glyph(text);
        if (used + columns_of(glyph) > std::max<std::size_t>(columns, 2)) {
            const bool at_space = space != std::string::npos && glyph != U' ';
            std::string rest = at_space ? line.substr(space + 1) : "";
            if (at_space) line.resize(space);
            lines.push_back(std::move(line));
            line = std::move(rest);
            used = columns_of(line);
            space = std::string::npos;
            if (glyph == U' ') continue;
        }
        if (glyph == U' ') space = line.size();
        append_glyph(line, glyph);
        used += columns_of(glyph);
    }
    if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
    return lines;
}

}  // namespace conclave::trace
