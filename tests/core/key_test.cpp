#include "conclave/core/key.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/core/samples.hpp"

namespace conclave {
namespace key_test {

TEST(Keys, of_equal_values_are_equal) {
    EXPECT_EQ(key_of(full_sample(), 1), key_of(full_sample(), 1));
    EXPECT_EQ(key_of(Choice{Point{1, 2}}, 0), key_of(Choice{Point{1, 2}}, 0));
}

TEST(Keys, depend_on_what_came_before) {
    EXPECT_NE(key_of(Point{1, 2}, 0), key_of(Point{1, 2}, 1));
}

TEST(Keys, change_with_every_field) {
    std::set<std::uint64_t> keys{key_of(full_sample(), 0)};
    const auto add = [&](auto change) {
        Everything value = full_sample();
        change(value);
        EXPECT_TRUE(keys.insert(key_of(value, 0)).second);
    };
    add([](Everything& value) { value.small = 3; });
    add([](Everything& value) { value.large ^= 1; });
    add([](Everything& value) { value.rank = plain_rank(Id{7}); });
    add([](Everything& value) { value.letters += '\0'; });
    add([](Everything& value) { value.points.pop_back(); });
    add([](Everything& value) { value.three = {6, 5, 7}; });
    add([](Everything& value) { value.words = {"two", ""}; });
    add([](Everything& value) { value.nested[0][0][1] = true; });
    add([](Everything& value) { value.choice = Empty{}; });
    add([](Everything& value) { value.members.insert(Id{2}); });
}

TEST(Keys, tell_apart_where_one_list_ends_and_the_next_begins) {
    struct TwoLists {
        std::vector<std::uint8_t> first, second;
    };
    EXPECT_NE(key_of(TwoLists{{1}, {}}, 0), key_of(TwoLists{{}, {1}}, 0));
    EXPECT_NE(key_of(Choice{Empty{}}, 0), key_of(Choice{Point{}}, 0));
}

TEST(Keys, of_a_million_small_points_are_all_different) {
    std::vector<std::uint64_t> keys;
    for (std::int32_t x = -500; x < 500; ++x)
        for (std::int32_t y = 0; y < 1000; ++y) keys.push_back(key_of(Point{x, y}, 0));
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

RC_GTEST_PROP(Keys, are_equal_exactly_when_the_bytes_are,
              (std::vector<std::uint8_t> a, std::vector<std::uint8_t> b)) {
    RC_ASSERT((key_of(a, 0) == key_of(b, 0)) == (a == b));
}

}  // namespace key_test
}  // namespace conclave
