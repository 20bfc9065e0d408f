#include "conclave/trace/columns.hpp"

#include <gtest/gtest.h>

namespace conclave::trace {
namespace columns_test {

TEST(Columns, letters_take_one_whatever_their_bytes) {
    EXPECT_EQ(columns_of("Election(7)"), 11u);
    EXPECT_EQ(columns_of("é→★▶│"), 5u);
}

TEST(Columns, east_asian_letters_and_emoji_take_two) {
    EXPECT_EQ(columns_of("選挙"), 4u);
    EXPECT_EQ(columns_of("👑"), 2u);
}

TEST(Columns, a_combining_mark_takes_none) { EXPECT_EQ(columns_of("nai\u0308v"), 4u); }

TEST(Columns, what_is_not_utf_8_or_steers_the_terminal_becomes_a_replacement) {
    for (std::string_view bad : {"\xff", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc0\xaf",
                                 "\x1b", "\r", "\x7f", "\u202e", "\u200b"}) {
        EXPECT_EQ(take_glyph(bad), 0xfffdu);
    }
    EXPECT_EQ(clip("a\x1b[31m", 10), "a\ufffd[31m");
}

TEST(Columns, every_glyph_survives_being_taken_and_appended) {
    for (char32_t glyph : {U'a', U'é', U'→', U'選', U'👑', char32_t{0x10ffff}}) {
        std::string text;
        append_glyph(text, glyph);
        std::string_view rest = text;
        EXPECT_EQ(take_glyph(rest), glyph);
        EXPECT_TRUE(rest.empty());
    }
}

TEST(Columns, clipping_counts_columns_and_says_so) {
    EXPECT_EQ(clip("Election", 8), "Election");
    EXPECT_EQ(clip("Election", 7), "Electi…");
    EXPECT_EQ(clip("選挙選挙", 6), "選挙…");  // half a letter cannot be shown
    EXPECT_EQ(clip("Election", 0), "");
}

TEST(Columns, wrapping_breaks_at_spaces_and_else_anywhere) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
    EXPECT_EQ(wrap("one two three", 8), (Lines{"one two", "three"}));
    EXPECT_EQ(wrap("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
    EXPECT_EQ(wrap("", 3), (Lines{""}));
}

}  // namespace columns_test
}  // namespace conclave::trace
