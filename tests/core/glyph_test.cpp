#include "conclave/core/glyph.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace conclave {
namespace glyph_test {

using testing::HasSubstr;

TEST(PublishedValue, is_text_that_can_be_shown) {
    for (const std::string good : {"", "10.0.0.1:80", "grün", "日本", "\U0001F600"})
        EXPECT_EQ(published_problem(good), "") << good;
    EXPECT_EQ(published_problem(std::string(256, 'x')), "");
    EXPECT_THAT(published_problem(std::string(257, 'x')), HasSubstr("at most 256 bytes, not 257"));
    const std::vector<std::string> bad{"\x1b[2J",
                                       std::string("\0", 1),
                                       "a\nb",
                                       "\x7f",
                                       "\xc2\x9b",  // control characters
                                       "\xff",
                                       "\xc3",
                                       "\x80",
                                       "a\xe2\x82",  // cut, or no beginning
                                       "\xc0\xaf",
                                       "\xe0\x80\xaf",  // longer than needed
                                       "\xed\xa0\x80",
                                       "\xf4\x90\x80\x80",
                                       "\xf8\x88\x80\x80\x80",  // no characters
                                       "\u202e"};               // turns the line round
    for (const std::string& each : bad)
        EXPECT_NE(published_problem(each), "") << testing::PrintToString(each);
}

}  // namespace glyph_test
}  // namespace conclave
