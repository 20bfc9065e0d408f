#include "conclave/election/hirschberg_sinclair.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace hirschberg_sinclair_test {

using Probe = HirschbergSinclair::Probe;
using Reply = HirschbergSinclair::Reply;
using Elected = HirschbergSinclair::Elected;
using State = HirschbergSinclair::State;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }

TEST(HirschbergSinclair, explores_one_hop_both_ways) {
    Actor<HirschbergSinclair> five(5, 9);
    EXPECT_EQ(five.after(Call{}),
              (Lines{"Send(6, Probe(5, 0, 1, yes))", "Send(4, Probe(5, 0, 1, no))"}));
    EXPECT_EQ(five.after(Call{}), Lines{});
}

TEST(HirschbergSinclair, explores_twice_as_far_when_both_replies_are_there) {
    Actor<HirschbergSinclair> five(5, 9);
    five.after(Call{});
    EXPECT_EQ(five.after(Reply{rank(5), 0, false}, 6), Lines{});
    EXPECT_EQ(five.after(Reply{rank(5), 0, true}, 4),
              (Lines{"Send(6, Probe(5, 0, 2, yes))", "Send(4, Probe(5, 0, 2, no))"}));
    five.after(Reply{rank(5), 0, false}, 6);
    EXPECT_EQ(five.after(Reply{rank(5), 0, true}, 4).front(), "Send(6, Probe(5, 0, 4, yes))");
}

TEST(HirschbergSinclair, swallows_a_worse_probe_and_wakes_up) {
    Actor<HirschbergSinclair> five(5, 9);
    EXPECT_EQ(five.after(Probe{rank(4), 0, 2, true}, 4).size(), 2u);
    EXPECT_EQ(five.node.state, State::candidate);
    EXPECT_EQ(five.after(Probe{rank(4), 0, 2, false}, 6), Lines{});
}

TEST(HirschbergSinclair, passes_a_better_probe_on_and_answers_the_last_hop) {
    Actor<HirschbergSinclair> five(5, 9);
    EXPECT_EQ(five.after(Probe{rank(7), 0, 3, true}, 4), Lines{"Send(6, Probe(7, 0, 2, yes))"});
    EXPECT_EQ(five.after(Probe{rank(7), 0, 1, true}, 4), Lines{"Send(4, Reply(7, 0, no))"});
    EXPECT_EQ(five.after(Probe{rank(7), 0, 1, false}, 6), Lines{"Send(6, Reply(7, 0, yes))"});
    EXPECT_EQ(five.after(Call{}), Lines{}) << "it knows that it lost";
}

TEST(HirschbergSinclair, passes_replies_of_others_on) {
    Actor<HirschbergSinclair> five(5, 9);
    EXPECT_EQ(five.after(Reply{rank(7), 0, false}, 6), Lines{"Send(4, Reply(7, 0, no))"});
    EXPECT_EQ(five.after(Reply{rank(3), 0, true}, 4), Lines{"Send(6, Reply(3, 0, yes))"});
}

TEST(HirschbergSinclair, gives_up_when_a_better_probe_came_before_the_replies) {
    Actor<HirschbergSinclair> five(5, 9);
    five.after(Call{});
    five.after(Probe{rank(7), 0, 1, true}, 4);
    five.after(Reply{rank(5), 0, false}, 6);
    EXPECT_EQ(five.after(Reply{rank(5), 0, true}, 4), Lines{});
}

TEST(HirschbergSinclair, leads_when_its_probe_comes_home_and_ignores_the_other_one) {
    Actor<HirschbergSinclair> five(5, 9);
    five.after(Call{});
    EXPECT_EQ(five.after(Probe{rank(5), 0, 1, true}, 4),
              (Lines{"Follow(5)", "Send(6, Elected(5, 0))"}));
    EXPECT_EQ(five.after(Probe{rank(5), 0, 1, false}, 6), Lines{});
    EXPECT_EQ(five.after(Elected{rank(5), 0}, 4), Lines{});
}

TEST(HirschbergSinclair, ignores_probes_that_outlive_their_election) {
    Actor<HirschbergSinclair> five(5, 9);
    EXPECT_EQ(five.after(Elected{rank(9), 0}, 4), (Lines{"Follow(9)", "Send(6, Elected(9, 0))"}));
    EXPECT_EQ(five.after(Probe{rank(9), 0, 3, false}, 6), Lines{});
    EXPECT_EQ(five.after(Reply{rank(9), 0, false}, 6), Lines{});
    EXPECT_EQ(five.after(Call{}).front(), "Send(6, Probe(5, 1, 1, yes))");
}

TEST(HirschbergSinclair, joins_the_next_election_before_it_hears_of_the_end_of_the_last) {
    Actor<HirschbergSinclair> five(5, 9);
    five.after(Probe{rank(7), 0, 3, true}, 4);
    five.after(Probe{rank(3), 1, 1, false}, 6);
    EXPECT_EQ(five.node.state, State::candidate);
    EXPECT_EQ(five.after(Elected{rank(9), 0}, 4), (Lines{"Follow(9)", "Send(6, Elected(9, 0))"}));
    EXPECT_EQ(five.node.state, State::candidate);
}

TEST(HirschbergSinclair, elects_the_best_in_a_thousand_random_rings) {
    expect_good_runs("hirschberg-sinclair");
}

}  // namespace hirschberg_sinclair_test
}  // namespace conclave
