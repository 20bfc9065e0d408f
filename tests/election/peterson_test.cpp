#include "conclave/election/peterson.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace peterson_test {

using Value = Peterson::Value;
using Elected = Peterson::Elected;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }

TEST(Peterson, sends_its_value_then_the_greater_of_two) {
    Actor<Peterson> three(3, 9), eight(8, 9);
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Value(3))"});
    EXPECT_EQ(three.after(Value{rank(7)}, 2), Lines{"Send(4, Value(7))"});
    EXPECT_EQ(eight.after(Value{rank(7)}, 7), (Lines{"Send(9, Value(8))", "Send(9, Value(8))"}));
}

TEST(Peterson, goes_on_with_the_value_before_it_if_that_is_no_less_than_the_others) {
    Actor<Peterson> three(3, 9);
    three.after(Value{rank(7)}, 2);
    EXPECT_EQ(three.after(Value{rank(7)}, 2), Lines{"Send(4, Value(7))"}) << "the next phase";
}

TEST(Peterson, relays_where_the_value_before_it_is_beaten) {
    Actor<Peterson> beaten_before(3, 9), beaten_by_itself(8, 9);
    beaten_before.after(Value{rank(7)}, 2);
    EXPECT_EQ(beaten_before.after(Value{rank(9)}, 2), Lines{});
    beaten_by_itself.after(Value{rank(7)}, 7);
    EXPECT_EQ(beaten_by_itself.after(Value{rank(7)}, 7), Lines{});
    EXPECT_EQ(beaten_by_itself.after(Value{rank(1)}, 7), Lines{"Send(9, Value(1))"});
}

TEST(Peterson, leads_when_it_hears_its_own_rank_even_as_a_relay) {
    Actor<Peterson> three(3, 9);
    three.node.state = Peterson::State::relay;
    EXPECT_EQ(three.after(Value{rank(3)}, 2), (Lines{"Follow(3)", "Send(4, Elected(3))"}));
    EXPECT_EQ(three.after(Value{rank(3)}, 2), Lines{}) << "until the others know";
    EXPECT_EQ(three.after(Elected{rank(3)}, 2), Lines{});
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Value(3))"});
}

TEST(Peterson, elects_the_best_in_a_thousand_random_rings) { expect_good_runs("peterson"); }

TEST(Peterson, takes_no_more_than_its_bound) {
    for (std::uint32_t nodes = 2; nodes <= 130; ++nodes) {
        Scenario scenario = ring_of(nodes, Who::all);
        const Prediction bound = Peterson::predict({nodes, nodes, 0});
        for (scenario.seed = 1; scenario.seed <= 8; ++scenario.seed)
            EXPECT_LE(run("peterson", scenario).messages, bound.most) << nodes;
    }
}

}  // namespace peterson_test
}  // namespace conclave
