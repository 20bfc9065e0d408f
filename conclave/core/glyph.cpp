#include "conclave/core/glyph.hpp"

#include <array>

namespace conclave {

namespace {

bool steers_terminal(char32_t glyph) {
    return glyph < 0x20 || (glyph >= 0x7f && glyph < 0xa0) ||
           (glyph >= 0x200b && glyph <= 0x200f) || (glyph >= 0x2028 && glyph <= 0x202e) ||
           (glyph >= 0x2060 && glyph <= 0x206f) || glyph == 0xfeff;
}

}  // namespace

char32_t take_glyph(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                                             : 4;
    char32_t glyph = length == 1 ? lead : lead & (0x7fu >> length);
    bool good = length != 0 && length <= text.size() && lead < 0xf5;
    for (std::size_t i = 1; good && i < length; ++i) {
        good = (byte(i) & 0xc0) == 0x80;
        glyph = glyph << 6 | (byte(i) & 0x3fu);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    good =
        good && glyph >= least[length] && glyph <= 0x10ffff && (glyph < 0xd800 || glyph > 0xdfff);
    text.remove_prefix(good ? length : 1);
    return good && !steers_terminal(glyph) ? glyph : unreadable;
}

std::string published_problem(std::string_view value) {
    if (value.size() > published_most)
        return "give at most " + std::to_string(published_most) + " bytes, not " +
               std::to_string(value.size());
    while (!value.empty())
        if (take_glyph(value) == unreadable) return "give text in UTF-8 without control characters";
    return {};
}

}  // namespace conclave
