#include "conclave/core/nearest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace conclave {
namespace nearest_test {

TEST(Nearest, the_nearest_word_is_few_letters_away) {
    constexpr std::array<std::string_view, 3> known{"bully", "chang-roberts", "tempo"};
    EXPECT_EQ(nearest("buly", known), "bully");
    EXPECT_EQ(nearest("chang_robert", known), "chang-roberts");
    EXPECT_EQ(nearest("tmepo", known), "tempo");
    EXPECT_EQ(nearest("paxos", known), "");
    EXPECT_EQ(nearest("chang", known), "chang-roberts");  // or it begins like that
    EXPECT_EQ(nearest("ch", known), "");
}

}  // namespace nearest_test
}  // namespace conclave
