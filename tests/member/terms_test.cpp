#include "conclave/member/terms.hpp"

#include <gtest/gtest.h>

namespace conclave::member {
namespace terms_test {

using std::chrono::seconds;

constexpr Id one{1}, two{2};

Terms terms_since(Time since) {
    Terms terms;
    terms.since = since;
    return terms;
}

TEST(Terms, what_ended_a_term_is_how_the_next_one_came_about) {
    Terms terms = terms_since(seconds(0));
    terms.note({nobody, one}, seconds(3), seconds(103));
    EXPECT_EQ(terms.last.back().brought_by.former, nobody);  // elected, after nobody
    terms.note({one, nobody, Cause::died}, seconds(5), seconds(105));
    EXPECT_EQ(terms.last.back().ended, seconds(105));
    EXPECT_EQ(terms.last.back().ended_by.cause, Cause::died);
    terms.note({nobody, two}, seconds(6), seconds(106));
    ASSERT_EQ(terms.last.size(), 2u);
    EXPECT_EQ(terms.last.back().brought_by.cause, Cause::died);
    EXPECT_EQ(terms.last.back().ended, never);
    EXPECT_EQ(terms.changes, 2u);
}

TEST(Terms, time_without_a_leader_adds_up_and_counts_on_while_there_is_none) {
    Terms terms = terms_since(seconds(0));
    EXPECT_EQ(terms.leaderless_until(seconds(2)), seconds(2));
    terms.note({nobody, one}, seconds(3), seconds(3));
    EXPECT_EQ(terms.leaderless_until(seconds(50)), seconds(3));
    terms.note({one, two}, seconds(50), seconds(50));  // one takes over from the other
    terms.note({two, nobody}, seconds(60), seconds(60));
    EXPECT_EQ(terms.leaderless_until(seconds(61)), seconds(4));
}

TEST(Terms, a_token_is_learned_once_and_each_start_of_the_work_has_its_own) {
    Terms terms = terms_since(seconds(0));
    EXPECT_FALSE(terms.note_token(7));  // of nobody
    terms.note({nobody, one}, seconds(1), seconds(1));
    EXPECT_FALSE(terms.note_token(0));
    EXPECT_TRUE(terms.note_token(7));
    EXPECT_FALSE(terms.note_token(8));
    terms.note_start(9);
    EXPECT_EQ(terms.token(), 9u);
    terms.note({one, nobody}, seconds(2), seconds(2));
    terms.note_start(10);  // that term is over
    EXPECT_EQ(terms.token(), 9u);
}

TEST(Terms, only_the_last_ones_are_kept) {
    Terms terms = terms_since(seconds(0));
    for (std::uint32_t i = 1; i <= Terms::most + 3; ++i)
        terms.note({i == 1 ? nobody : Id{i - 1}, Id{i}}, seconds(i), seconds(i));
    EXPECT_EQ(terms.last.size(), Terms::most);
    EXPECT_EQ(terms.last.front().leader, Id{4});
    EXPECT_EQ(terms.changes, Terms::most + 3);
}

}  // namespace terms_test
}  // namespace conclave::member
