#include "conclave/core/withheld.hpp"

#include <gtest/gtest.h>

namespace conclave {
namespace withheld_test {

struct Word {
    int number;
};
using Message = std::variant<Word>;

// Says 1, stores, says 2 and 3.
Effects<Message, int> turn_with_store() {
    Effects<Message, int> effects;
    effects.stored = 7;
    effects.unbound = 1;
    for (const int number : {1, 2, 3}) effects.sends.push_back({everyone, Word{number}});
    return effects;
}

std::vector<int> numbers(const std::vector<Send<Message>>& sends) {
    std::vector<int> list;
    for (const auto& each : sends) list.push_back(std::get<Word>(each.message).number);
    return list;
}

TEST(Withheld, what_was_said_before_the_store_leaves_and_the_rest_waits_for_it) {
    Withheld<Message> withheld;
    auto effects = turn_with_store();
    withheld.hold(effects, 1);
    EXPECT_EQ(numbers(effects.sends), std::vector<int>{1});
    EXPECT_EQ(numbers(withheld.release(1)), (std::vector<int>{2, 3}));
    EXPECT_TRUE(withheld.release(1).empty());
}

TEST(Withheld, a_later_store_answers_for_an_earlier_one_and_not_the_other_way_round) {
    Withheld<Message> withheld;
    for (const std::uint64_t store : {1u, 2u}) {
        auto effects = turn_with_store();
        withheld.hold(effects, store);
    }
    EXPECT_FALSE(withheld.is_last(1));
    EXPECT_EQ(withheld.release(1).size(), 2u);
    auto effects = turn_with_store();
    withheld.hold(effects, 3);
    EXPECT_TRUE(withheld.is_last(3));
    EXPECT_TRUE(withheld.is_last(4));  // of somebody else who writes the same file
    EXPECT_EQ(withheld.release(3).size(), 4u);
}

TEST(Withheld, behind_a_store_that_fails_nothing_leaves) {
    Withheld<Message> withheld;
    auto effects = turn_with_store();
    withheld.hold(effects, 1);
    withheld.drop(1);
    EXPECT_TRUE(withheld.release(2).empty());
}

}  // namespace withheld_test
}  // namespace conclave
