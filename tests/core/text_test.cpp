#include "conclave/core/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/core/samples.hpp"

namespace conclave {
namespace text_test {

TEST(Text, reads_as_people_write) {
    EXPECT_EQ(text(Point{1, -2}), "Point(1, -2)");
    EXPECT_EQ(text(Empty{}), "Empty");
    EXPECT_EQ(text(Named{Id{9}, true, std::chrono::milliseconds{250}, Colour::dark_green}),
              "Named(9, yes, 250ms, dark_green)");
    EXPECT_EQ(text(Choice{Point{3, 4}}), "Point(3, 4)");
    EXPECT_EQ(text(std::vector<Id>{Id{1}, Id{2}}), "[1 2]");
    EXPECT_EQ(text(std::array<bool, 2>{true, false}), "[yes no]");
    EXPECT_EQ(text(IdSet{{Id{3}, Id{5}}}), "[3 5]");
    EXPECT_EQ(text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
    EXPECT_EQ(text(std::int8_t{-5}), "-5");
}

TEST(Text, of_a_rank_is_its_id_and_what_distinguishes_it) {
    EXPECT_EQ(text(plain_rank(Id{7})), "7");
    EXPECT_EQ(text(make_rank(true, false, 200, Id{7})), "7/p200");
    EXPECT_EQ(text(make_rank(true, true, 0, Id{7})), "7/incumbent");
    EXPECT_EQ(text(make_rank(false, true, 3, Id{7})), "7/p3/incumbent/ineligible");
}

TEST(Json, has_the_fields_own_names) {
    EXPECT_EQ(json(Point{1, -2}), R"({"x":1,"y":-2})");
    EXPECT_EQ(json(Empty{}), "{}");
    EXPECT_EQ(json(Named{Id{9}, true, Duration{250}, Colour::dark_green}),
              R"({"owner":9,"ready":true,"patience":250,"colour":"dark_green"})");
}

TEST(Json, of_one_of_several_says_which) {
    EXPECT_EQ(json(Choice{Empty{}}), R"({"type":"Empty"})");
    EXPECT_EQ(json(Choice{Point{1, 2}}), R"({"type":"Point","x":1,"y":2})");
}

TEST(Json, is_read_by_others_as_it_was_meant) {
    const auto read = nlohmann::json::parse(json(full_sample()));
    EXPECT_EQ(read["small"], -3);
    EXPECT_EQ(read["large"], 0x0123456789abcdefu);
    EXPECT_EQ(read["rank"], "7/p200");
    EXPECT_EQ(read["letters"], "a \"word\"\n");
    EXPECT_EQ(read["points"][1]["y"], -2);
    EXPECT_EQ(read["three"], (std::vector<int>{5, 6, 7}));
    EXPECT_EQ(read["words"], (std::vector<std::string>{"", "two"}));
    EXPECT_EQ(read["nested"].dump(), "[[[true,false]]]");
    EXPECT_EQ(read["choice"]["type"], "Named");
    EXPECT_EQ(read["choice"]["patience"], 250'000'000);
    EXPECT_EQ(read["members"], (std::vector<int>{1, 4}));
}

RC_GTEST_PROP(Json, quotes_any_ascii_so_that_others_read_it_back, (std::vector<char> noise)) {
    std::string letters;
    for (const char letter : noise) letters += static_cast<char>(letter & 0x7f);
    RC_ASSERT(nlohmann::json::parse(quote(letters)) == letters);
}

}  // namespace text_test
}  // namespace conclave
