#include "conclave/election/time_slice.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace time_slice_test {

using namespace std::chrono_literals;

TEST(TimeSlice, waits_for_the_slice_of_its_name) {
    Actor<TimeSlice> one(1, 5), three(3, 5);
    EXPECT_EQ(one.after(Start{}), Lines{"Set(Slice, 0s)"});
    EXPECT_EQ(three.after(Start{}), Lines{"Set(Slice, 10ms)"}) << "two slices of five units";
}

TEST(TimeSlice, has_sparse_names_where_they_are_set_so) {
    Actor<TimeSlice> three(3, 5);
    three.settings.gap = 100;
    three.settings.shift = 7;
    EXPECT_EQ(three.after(Start{}), Lines{"Set(Slice, 1.035s)"}) << "207 slices of five units";
}

TEST(TimeSlice, waits_for_ever_rather_than_for_a_time_that_cannot_be_said) {
    Actor<TimeSlice> three(3, 5);
    three.settings.gap = 0xffffffff;
    three.settings.unit = std::chrono::hours(1000);
    three.after(Start{});
    EXPECT_GT(three.effects().timers.at(0).after, std::chrono::hours(24 * 365 * 50));
}

TEST(TimeSlice, leads_if_nothing_was_heard_before) {
    Actor<TimeSlice> three(3, 5);
    EXPECT_EQ(three.after(TimeSlice::Slice{}), (Lines{"Follow(3)", "Send(4, Token(3))"}));
    EXPECT_EQ(three.after(TimeSlice::Token{Id{3}}, 2), Lines{}) << "it came full circle";
}

TEST(TimeSlice, follows_the_token_and_gives_its_own_slice_up) {
    Actor<TimeSlice> three(3, 5);
    EXPECT_EQ(three.after(TimeSlice::Token{Id{1}}, 2),
              (Lines{"Follow(1)", "Stop(Slice)", "Send(4, Token(1))"}));
}

TEST(TimeSlice, takes_n_messages_and_a_slice_for_every_name_before_the_least) {
    for (const std::uint32_t nodes : {1u, 2u, 7u, 40u})
        for (const std::uint32_t shift : {0u, 3u, 50u}) {
            Scenario scenario = ring_of(nodes);
            scenario.settings = {{"shift", std::to_string(shift)}, {"gap", "9"}};
            const Outcome outcome = run("time-slice", scenario);
            expect_good(outcome);
            EXPECT_EQ(outcome.messages, nodes);
            EXPECT_EQ(outcome.leader, Id{1});
            EXPECT_EQ(outcome.ended, Duration(1ms) * (nodes * shift + nodes));
        }
}

}  // namespace time_slice_test
}  // namespace conclave
