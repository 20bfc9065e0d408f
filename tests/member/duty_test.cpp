// When a command is started, stopped, given up and started again.
#include "conclave/member/duty.hpp"

#include <gtest/gtest.h>

namespace conclave::member {
namespace duty_test {

View holding(std::uint64_t round = 7) {
    View view;
    view.leader = Id{1};
    view.ballot = {round, Id{1}, 3};
    view.acting = true;
    view.ends = std::chrono::seconds(1);
    return view;
}

View leaving() {
    View view = holding();
    view.leaving = true;
    return view;
}

View pausing() {
    View view = holding();
    view.again = std::chrono::seconds(2);
    return view;
}

CommandFacts after_start_under(std::uint64_t round) {
    return {.started = lease::token_of({round, Id{1}, 0})};
}

TEST(Duty, a_lease_starts_the_command_once) {
    EXPECT_EQ(deed_of(holding(), {}), Deed::start);
    EXPECT_EQ(deed_of(holding(), {.alive = true}), Deed::extend);
    EXPECT_EQ(deed_of(holding(), after_start_under(7)), Deed::none);
    EXPECT_EQ(deed_of(holding(8), after_start_under(7)), Deed::start);
}

TEST(Duty, without_a_lease_nothing_is_started_or_extended) {
    EXPECT_EQ(deed_of({}, {}), Deed::none);
    EXPECT_EQ(deed_of({}, {.alive = true}), Deed::none);
}

TEST(Duty, whoever_leaves_stops_the_command_and_renews_meanwhile) {
    EXPECT_EQ(deed_of(leaving(), {.alive = true}), Deed::stop);
    EXPECT_EQ(deed_of(leaving(), {.alive = true, .stopping = true}), Deed::extend);
    EXPECT_EQ(deed_of(leaving(), {}), Deed::none);
}

TEST(Duty, nothing_is_started_that_cannot_is_done_or_pauses) {
    EXPECT_EQ(deed_of(holding(), {.able = false}), Deed::none);
    EXPECT_EQ(deed_of(holding(), {.wanted = false}), Deed::none);
    EXPECT_EQ(deed_of(pausing(), {}), Deed::none);
}

TEST(Duty, a_lease_under_which_nothing_can_start_is_given_back) {
    EXPECT_EQ(word_of(holding(), {.able = false}), Word::gone);
    EXPECT_EQ(word_of(leaving(), {}), Word::gone);
    EXPECT_EQ(word_of(holding(), {.alive = true, .able = false}), Word::none);
    EXPECT_EQ(word_of(pausing(), {.able = false}), Word::none);
    EXPECT_EQ(word_of({}, {.able = false}), Word::none);
}

TEST(Duty, the_next_start_needs_a_greater_token) {
    EXPECT_EQ(word_of(holding(), after_start_under(7)), Word::anew);
    EXPECT_EQ(word_of(holding(8), after_start_under(7)), Word::none);
    EXPECT_EQ(word_of(pausing(), after_start_under(7)), Word::none);
    CommandFacts done = after_start_under(7);
    done.wanted = false;
    EXPECT_EQ(word_of(holding(), done), Word::none);
}

TEST(Duty, a_command_that_was_stopped_gives_the_lease_back) {
    EXPECT_EQ(sequel_of(holding(), {.by_itself = false, .restart = true}), Sequel::release);
    EXPECT_EQ(sequel_of(leaving(), {.by_itself = true, .restart = true}), Sequel::release);
    EXPECT_EQ(sequel_of({}, {.by_itself = true, .stay = true}), Sequel::release);
}

TEST(Duty, a_command_that_ended_by_itself_is_restarted_done_handed_over_or_the_end) {
    EXPECT_EQ(sequel_of(holding(), {.by_itself = true, .restart = true, .stay = true}),
              Sequel::again);
    EXPECT_EQ(sequel_of(holding(), {.by_itself = true, .stay = true}), Sequel::record);
    EXPECT_EQ(sequel_of(holding(), {.by_itself = true, .code = 3, .stay = true}),
              Sequel::hand_over);
    EXPECT_EQ(sequel_of(holding(), {.by_itself = true, .code = 3}), Sequel::leave);
    const CommandEnd departing{.by_itself = true, .restart = true, .stay = true, .departing = true};
    EXPECT_EQ(sequel_of(holding(), departing), Sequel::leave);
}

}  // namespace duty_test
}  // namespace conclave::member
