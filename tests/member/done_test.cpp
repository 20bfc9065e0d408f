#include "conclave/member/done.hpp"

#include <gtest/gtest.h>

namespace conclave::member {
namespace done_test {

const Done none{}, first{5, false, "a", 1}, resumed{5, true, "a", 1}, second{9, false, "b", 2};

TEST(Done, a_record_rests_until_it_is_resumed) {
    EXPECT_FALSE(none.rests());
    EXPECT_TRUE(first.rests());
    EXPECT_FALSE(resumed.rests());
    EXPECT_TRUE(second.rests());
}

TEST(Done, a_resumed_one_is_later_than_its_end_and_earlier_than_the_next_end) {
    const Done* in_order[] = {&none, &first, &resumed, &second};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) EXPECT_EQ(is_later(*in_order[i], *in_order[j]), i > j);
}

TEST(Done, whoever_knows_less_is_promised_nothing_unless_its_program_knows_of_none) {
    EXPECT_FALSE(may_promise(first, true, none));
    EXPECT_FALSE(may_promise(resumed, true, first));
    EXPECT_TRUE(may_promise(first, true, first));
    EXPECT_TRUE(may_promise(first, true, second));
    EXPECT_TRUE(may_promise(first, false, none));
}

}  // namespace done_test
}  // namespace conclave::member
