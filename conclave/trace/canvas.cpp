#include "conclave/trace/canvas.hpp"

#include "conclave/trace/columns.hpp"

namespace conclave::trace {

namespace {

std::string_view colour_of(Tone tone) {
    switch (tone) {
        case Tone::quiet: return "\x1b[2m";
        case Tone::strong: return "\x1b[1m";
        case Tone::good: return "\x1b[1;32m";
        case Tone::bad: return "\x1b[1;31m";
        case Tone::alert: return "\x1b[33m";
        case Tone::plain: break;
    }
    return "";
}

// Two lines that stand for each other, glyph by glyph.
constexpr std::u32string_view drawn = U"│├┤┃┠┨─╶╴╌…⋮┊┋┼╂┬▶→◀✗╳★●↺◷‖═█";
constexpr std::string_view typed = "|||###---...::+++>><xX*o@@==!";
static_assert(drawn.size() == typed.size());

char ascii_of(char32_t glyph) {
    if (glyph < 0x80) return static_cast<char>(glyph);
    const std::size_t at = drawn.find(glyph);
    return at == drawn.npos ? '?' : typed[at];
}

}  // namespace

void Line::put(std::size_t column, char32_t glyph, Tone tone) {
    if (column >= cells_.size()) return;
    // Half a wide glyph cannot stay when the other half is painted over.
    if (cells_[column].glyph == 0 && column > 0) cells_[column - 1].glyph = U' ';
    if (column + 1 < cells_.size() && cells_[column + 1].glyph == 0)
        cells_[column + 1].glyph = U' ';
    cells_[column] = {glyph, 0, tone};
}

void Line::fill(std::size_t first, std::size_t end, char32_t glyph, Tone tone) {
    for (std::size_t column = first; column < end; ++column) put(column, glyph, tone);
}

std::size_t Line::write(std::size_t column, std::string_view text, Tone tone) {
    if (column >= cells_.size()) return column;
    const std::string fitting = clip(text, cells_.size() - column);
    for (std::string_view rest = fitting; !rest.empty();) {
        const char32_t glyph = take_glyph(rest);
        const std::size_t wide = columns_of(glyph);
        if (wide == 0) {
            if (column > 0) cells_[column - 1].mark = glyph;
            continue;
        }
        put(column, glyph, tone);
        if (wide == 2) {
            put(column + 1, U' ', tone);
            cells_[column + 1].glyph = 0;
        }
        column += wide;
    }
    return column;
}

void Line::append_to(std::string& out, Ink ink) const {
    std::size_t end = cells_.size();
    while (end > 0 && cells_[end - 1].glyph == U' ') --end;
    Tone now = Tone::plain;
    for (std::size_t i = 0; i < end; ++i) {
        const Cell& cell = cells_[i];
        const Tone tone = cell.glyph == U' ' ? now : cell.tone;  // a space has no colour
        if (ink.colour && tone != now) {
            if (now != Tone::plain) out += "\x1b[0m";
            out += colour_of(tone);
        }
        now = tone;
        if (!ink.unicode) {
            out += cell.glyph == 0 ? '?' : ascii_of(cell.glyph);
            continue;
        }
        if (cell.glyph != 0) append_glyph(out, cell.glyph);
        if (cell.mark != 0) append_glyph(out, cell.mark);
    }
    if (ink.colour && now != Tone::plain) out += "\x1b[0m";
    out += '\n';
}

}  // namespace conclave::trace
