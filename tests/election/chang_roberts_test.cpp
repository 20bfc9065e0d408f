#include "conclave/election/chang_roberts.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace chang_roberts_test {

using Election = ChangRoberts::Election;
using Elected = ChangRoberts::Elected;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }

TEST(ChangRoberts, sends_its_rank_to_its_successor_when_it_is_called) {
    Actor<ChangRoberts> three(3, 5);
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Election(3))"});
    EXPECT_EQ(three.after(Call{}), Lines{}) << "at most one election of its own at a time";
}

TEST(ChangRoberts, forwards_a_better_rank_and_takes_part_from_then_on) {
    Actor<ChangRoberts> three(3, 5);
    EXPECT_EQ(three.after(Election{rank(4)}, 2), Lines{"Send(4, Election(4))"});
    EXPECT_EQ(three.after(Call{}), Lines{});
}

TEST(ChangRoberts, replaces_a_worse_rank_once) {
    Actor<ChangRoberts> three(3, 5);
    EXPECT_EQ(three.after(Election{rank(2)}, 2), Lines{"Send(4, Election(3))"});
    EXPECT_EQ(three.after(Election{rank(1)}, 2), Lines{});
}

TEST(ChangRoberts, leads_when_its_own_rank_comes_home) {
    Actor<ChangRoberts> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Election{rank(3)}, 2), (Lines{"Follow(3)", "Send(4, Elected(3))"}));
}

TEST(ChangRoberts, passes_the_news_on_and_is_ready_for_the_next_election) {
    Actor<ChangRoberts> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Elected{rank(5)}, 2), (Lines{"Follow(5)", "Send(4, Elected(5))"}));
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Election(3))"});
}

TEST(ChangRoberts, removes_its_own_news) {
    Actor<ChangRoberts> five(5, 5);
    five.after(Call{});
    EXPECT_EQ(five.after(Elected{rank(5)}, 4), Lines{});
    EXPECT_FALSE(five.node.participating);
}

TEST(ChangRoberts, compares_ranks_not_ids) {
    Actor<ChangRoberts> three(3, 5);
    three.set_priorities({9, 0, 5, 0, 0});
    EXPECT_EQ(three.after(Election{make_rank(true, false, 0, Id{5})}, 2),
              Lines{"Send(4, Election(3/p5))"});
}

TEST(ChangRoberts, remembers_a_single_bit) { EXPECT_EQ(sizeof(ChangRoberts), 1u); }

TEST(ChangRoberts, elects_the_best_in_a_thousand_random_rings) {
    expect_good_runs("chang-roberts");
}

}  // namespace chang_roberts_test
}  // namespace conclave
