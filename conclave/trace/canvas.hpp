// One line of a picture made of characters: cells that know their glyph and their tone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conclave::trace {

// The louder the later: of two that meet, the louder wins.
enum class Tone : std::uint8_t { quiet, plain, strong, alert, good, bad };

// How a line leaves the canvas. Without Unicode every glyph becomes one ASCII character, so that a
// picture keeps its shape.
struct Ink {
    bool colour = false;
    bool unicode = true;
};

class Line {
public:
    explicit Line(std::size_t width) : cells_(width) {}

    std::size_t width() const { return cells_.size(); }
    void clear() { cells_.assign(cells_.size(), Cell{}); }
    void put(std::size_t column, char32_t glyph, Tone tone = Tone::plain);
    void fill(std::size_t first, std::size_t end, char32_t glyph, Tone tone = Tone::plain);
    // Returns the column after the text; what does not fit the line is cut off with "…".
    std::size_t write(std::size_t column, std::string_view text, Tone tone = Tone::plain);

    // Ends with a line feed and without spaces.
    void append_to(std::string& out, Ink ink) const;

private:
    struct Cell {
        char32_t glyph = U' ';  // 0: the right half of a wide glyph
        char32_t mark = 0;      // a combining mark upon the glyph
        Tone tone = Tone::plain;
    };
    std::vector<Cell> cells_;
};

}  // namespace conclave::trace
