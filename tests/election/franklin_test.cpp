#include "conclave/election/franklin.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace franklin_test {

using Candidate = Franklin::Candidate;
using Elected = Franklin::Elected;
using State = Franklin::State;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }
Candidate clockwise(std::uint32_t id, std::uint32_t run = 0) { return {rank(id), run, true}; }
Candidate back(std::uint32_t id, std::uint32_t run = 0) { return {rank(id), run, false}; }

const Lines both_ways{"Send(6, Candidate(5, 0, yes))", "Send(4, Candidate(5, 0, no))"};

TEST(Franklin, sends_its_rank_both_ways) {
    Actor<Franklin> five(5, 9);
    EXPECT_EQ(five.after(Call{}), both_ways);
    EXPECT_EQ(five.after(Call{}), Lines{});
}

TEST(Franklin, is_woken_by_a_message) {
    Actor<Franklin> five(5, 9);
    EXPECT_EQ(five.after(clockwise(4), 4), both_ways);
}

TEST(Franklin, stays_active_when_it_is_better_than_both) {
    Actor<Franklin> five(5, 9);
    five.after(Call{});
    EXPECT_EQ(five.after(clockwise(4), 4), Lines{});
    EXPECT_EQ(five.after(back(2), 6), both_ways);
}

TEST(Franklin, becomes_passive_when_one_of_them_is_better) {
    for (const bool left : {true, false}) {
        Actor<Franklin> five(5, 9);
        five.after(Call{});
        five.after(clockwise(left ? 6 : 4), 4);
        EXPECT_EQ(five.after(back(left ? 4 : 6), 6), Lines{});
        EXPECT_EQ(five.node.state, State::passive);
        EXPECT_EQ(five.after(clockwise(3), 4), Lines{"Send(6, Candidate(3, 0, yes))"});
        EXPECT_EQ(five.after(back(3), 6), Lines{"Send(4, Candidate(3, 0, no))"});
    }
}

TEST(Franklin, keeps_the_message_of_a_neighbour_that_is_a_round_ahead) {
    Actor<Franklin> five(5, 9);
    five.after(Call{});
    five.after(clockwise(4), 4);
    EXPECT_EQ(five.after(clockwise(3), 4), Lines{});
    five.after(back(2), 6);  // the next round has begun, with 3 on its left
    EXPECT_EQ(five.after(back(1), 6), both_ways);
}

TEST(Franklin, relays_what_it_kept_when_it_steps_down) {
    Actor<Franklin> five(5, 9);
    five.after(Call{});
    five.after(clockwise(4), 4);
    five.after(clockwise(3), 4);
    EXPECT_EQ(five.after(back(6), 6), Lines{"Send(6, Candidate(3, 0, yes))"});
    Actor<Franklin> other(5, 9);
    other.after(Call{});
    other.after(back(4), 6);
    other.after(back(3), 6);
    EXPECT_EQ(other.after(clockwise(6), 4), Lines{"Send(4, Candidate(3, 0, no))"});
}

TEST(Franklin, leads_when_it_meets_itself) {
    Actor<Franklin> five(5, 9);
    five.after(Call{});
    five.after(clockwise(5), 4);
    EXPECT_EQ(five.after(back(5), 6), (Lines{"Follow(5)", "Send(6, Elected(5, 0))"}));
    EXPECT_EQ(five.after(Elected{rank(5), 0}, 4), Lines{});
}

TEST(Franklin, passes_the_news_on_and_is_ready_for_the_next_election) {
    Actor<Franklin> five(5, 9);
    five.after(Call{});
    EXPECT_EQ(five.after(Elected{rank(9), 0}, 4), (Lines{"Follow(9)", "Send(6, Elected(9, 0))"}));
    EXPECT_EQ(five.after(back(6), 6), Lines{}) << "that election is over";
    EXPECT_EQ(five.after(Call{}).front(), "Send(6, Candidate(5, 1, yes))");
}

TEST(Franklin, joins_the_next_election_before_it_hears_of_the_end_of_the_last) {
    Actor<Franklin> five(5, 9);
    five.node.state = State::passive;
    EXPECT_EQ(five.after(back(6, 1), 6).size(), 2u);
    EXPECT_EQ(five.after(Elected{rank(9), 0}, 4), (Lines{"Follow(9)", "Send(6, Elected(9, 0))"}));
    EXPECT_EQ(five.node.state, State::active) << "the old news does not end the new election";
}

TEST(Franklin, elects_the_best_in_a_thousand_random_rings) { expect_good_runs("franklin"); }

}  // namespace franklin_test
}  // namespace conclave
