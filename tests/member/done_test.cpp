#include "conclave/member/done.hpp"

#include <gtest/gtest.h>

namespace conclave::member {
namespace done_test {

const Done none{}, first{5, false, "a", 1}, resumed{5, true, "a", 1}, second{9, false, "b", 2};

TEST(Done, a_record_is_in_force_until_it_is_resumed) {
    EXPECT_FALSE(none.in_force());
    EXPECT_TRUE(first.in_force());
    EXPECT_FALSE(resumed.in_force());
    EXPECT_TRUE(second.in_force());
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

TEST(Done, a_record_is_told_when_it_is_on_disk_to_members_that_do_not_know_it) {
    DoneRecord record{none, none};
    EXPECT_TRUE(record.learn(first));
    EXPECT_FALSE(record.learn(first));
    EXPECT_FALSE(record.is_kept());
    EXPECT_FALSE(record.is_news_to(none));
    record.kept = record.known;
    EXPECT_TRUE(record.is_kept());
    EXPECT_TRUE(record.is_news_to(none));
    EXPECT_FALSE(record.is_news_to(first));
    EXPECT_TRUE(record.learn(record.resumed()));
    EXPECT_EQ(record.known, resumed);
    EXPECT_FALSE(record.learn(first));
}

}  // namespace done_test
}  // namespace conclave::member
