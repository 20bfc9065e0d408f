// Asks that are not answered are repeated, so that loss moves no leader.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/lease/keeper.hpp"
#include "tests/lease/losses.hpp"
#include "tests/lease/searches.hpp"

namespace conclave::lease {
namespace repeat_test {

using namespace std::chrono_literals;
using tests::Losses, tests::lose, tests::Who;

std::size_t count_of(const Lines& lines, std::string_view begin) {
    return static_cast<std::size_t>(
        std::count_if(lines.begin(), lines.end(),
                      [&](const std::string& line) { return line.starts_with(begin); }));
}

// Member 1 of three, which asks at 0: a heartbeat is 100 ms.
struct Asking : Keeper {
    explicit Asking(Duration repeat = 20ms) : Keeper(1, 3) {
        settings.formed = true;
        settings.nonces = 1;
        settings.repeat = repeat;
        after(Start{});
        after(Call{});
    }
    Lines promise(std::uint32_t from) {
        return after(Promise{node.candidacy.ballot, node.candidacy.k}, from);
    }
    Lines renew_at(Time time) {
        now = time;
        return after(Member::Renew{});
    }
};

TEST(Repeat, an_ask_that_no_majority_answers_is_repeated_twice_in_a_heartbeat) {
    Asking one;
    EXPECT_EQ(count_of(one.renew_at(20ms), "Broadcast(Ask"), 1u);
    const Lines second = one.renew_at(60ms);
    EXPECT_EQ(count_of(second, "Broadcast(Ask"), 1u);
    EXPECT_EQ(count_of(second, "Set(Renew, 40ms"), 1u) << testing::PrintToString(second);
    EXPECT_EQ(one.node.candidacy.k, 3u);
    one.renew_at(100ms);
    EXPECT_EQ(one.node.candidacy.begun(), 100ms);  // the next heartbeat
}

TEST(Repeat, a_majority_that_answers_is_asked_again_at_the_next_heartbeat_only) {
    Asking one;
    one.now = 5ms;
    const Lines lines = one.promise(2);
    EXPECT_TRUE(one.node.acting);
    EXPECT_EQ(count_of(lines, "Set(Renew, 95ms"), 1u) << testing::PrintToString(lines);
}

TEST(Repeat, a_lease_counts_from_the_repeated_ask_that_was_answered) {
    Asking one;
    one.renew_at(20ms);
    one.now = 25ms;
    one.promise(2);
    EXPECT_EQ(one.node.ends, 20ms + one.settings.lease);
}

TEST(Repeat, a_follower_that_answered_until_now_is_asked_again_alone) {
    Asking one;
    one.promise(2);
    one.promise(3);
    one.renew_at(100ms);
    one.now = 105ms;
    one.promise(2);
    const Lines lines = one.renew_at(120ms);
    EXPECT_EQ(count_of(lines, "Send(3, Ask"), 1u);
    EXPECT_EQ(count_of(lines, "Send(2, Ask"), 0u);
    EXPECT_EQ(count_of(lines, "Broadcast"), 0u);
}

TEST(Repeat, whoever_has_been_silent_for_a_lease_is_not_asked_alone) {
    Asking one;
    one.promise(2);
    one.promise(3);
    for (const Time beat : {100ms, 200ms, 300ms}) {
        one.renew_at(beat);
        one.promise(2);
    }
    const Lines lines = one.renew_at(320ms);
    EXPECT_EQ(count_of(lines, "Send(3, Ask"), 0u);
}

TEST(Repeat, a_candidate_that_is_beaten_waits_for_the_heartbeat) {
    Asking one;
    one.now = 5ms;
    one.after(Ask{{9, Id{3}, 7}, 1, false, one.settings.seal}, 3);
    EXPECT_EQ(count_of(one.renew_at(20ms), "Broadcast(Ask"), 0u);
}

TEST(Repeat, without_a_time_for_it_nothing_is_repeated) {
    Asking one(0ms);
    EXPECT_EQ(one.node.candidacy.begun(), 0ms);
    one.renew_at(20ms);
    EXPECT_EQ(one.node.candidacy.begun(), 20ms);  // a heartbeat's own
}

// ---------------------------------------------------------------- every order of asks and answers

TEST(Repeat, answers_to_repeated_asks_never_let_two_act) {
    const checker::Verdict verdict = checker::explore_lease(checker::repeating("3ms", "1ms"));
    EXPECT_EQ(verdict.answer, checker::Verdict::Answer::holds);
    EXPECT_TRUE(verdict.searched.complete);
}

TEST(Repeat, they_would_if_the_lease_counted_from_the_last_one) {
    checker::Query query = checker::repeating("5ms", "2ms");
    query.rules_off |= bit(Rule::lease_from_answered_asks);
    EXPECT_EQ(checker::explore_lease(query).answer, checker::Verdict::Answer::violated);
}

// ---------------------------------------------------------------- five minutes of loss

TEST(Loss, a_fifth_of_all_datagrams_moves_no_leader_that_was_the_best_from_the_start) {
    const Losses losses = lose(20, 40, Who::best);
    EXPECT_EQ(losses.sum, 0u);
    EXPECT_EQ(losses.violations, 0u);
}

// One that stands before it has heard of the leader never promises to it, and the leader is left
// with one voter.
TEST(Loss, where_the_first_election_suffers_too_it_moves_one_in_a_hundred) {
    const Losses losses = lose(20, 40, Who::first);
    EXPECT_LE(losses.sum, 1u);
    EXPECT_EQ(losses.violations, 0u);
}

TEST(Loss, three_tenths_move_it_three_times_at_most) {
    const Losses losses = lose(30, 40, Who::first);
    EXPECT_LE(losses.most, 3u);
    EXPECT_EQ(losses.violations, 0u);
}

TEST(Loss, without_repeated_asks_leaders_change_in_every_run) {
    EXPECT_GT(lose(20, 20, Who::best, "0s").sum, 20u);
}

}  // namespace repeat_test
}  // namespace conclave::lease
