#include "conclave/election/ring_basic.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace ring_basic_test {

using Election = RingBasic::Election;
using Elected = RingBasic::Elected;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }

TEST(RingBasic, sends_its_rank_to_its_successor_when_it_is_called) {
    Actor<RingBasic> three(3, 5);
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Election(3))"});
}

TEST(RingBasic, calls_for_at_most_one_election_at_a_time) {
    Actor<RingBasic> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Call{}), Lines{});
    three.after(Elected{rank(5)}, 2);
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Election(3))"});
}

TEST(RingBasic, forwards_a_better_rank) {
    Actor<RingBasic> three(3, 5);
    EXPECT_EQ(three.after(Election{rank(4)}, 2), Lines{"Send(4, Election(4))"});
}

TEST(RingBasic, puts_its_own_in_the_place_of_every_worse_rank) {
    Actor<RingBasic> three(3, 5);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(three.after(Election{rank(2)}, 2), Lines{"Send(4, Election(3))"});
}

TEST(RingBasic, leads_when_its_own_rank_comes_home) {
    Actor<RingBasic> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Election{rank(3)}, 2), (Lines{"Follow(3)", "Send(4, Elected(3))"}));
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Election(3))"}) << "its election is over";
}

TEST(RingBasic, forwards_the_news_until_it_reaches_the_leader) {
    Actor<RingBasic> three(3, 5), five(5, 5);
    EXPECT_EQ(three.after(Elected{rank(5)}, 2), (Lines{"Follow(5)", "Send(4, Elected(5))"}));
    EXPECT_EQ(five.after(Elected{rank(5)}, 4), Lines{});
}

TEST(RingBasic, elects_the_best_in_a_thousand_random_rings) { expect_good_runs("ring-basic"); }

}  // namespace ring_basic_test
}  // namespace conclave
