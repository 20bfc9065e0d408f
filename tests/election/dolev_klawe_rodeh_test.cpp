#include "conclave/election/dolev_klawe_rodeh.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace dolev_klawe_rodeh_test {

using First = DolevKlaweRodeh::First;
using Second = DolevKlaweRodeh::Second;
using Elected = DolevKlaweRodeh::Elected;
using State = DolevKlaweRodeh::State;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }

TEST(DolevKlaweRodeh, begins_with_its_own_rank) {
    Actor<DolevKlaweRodeh> three(3, 9);
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, First(3))"});
    EXPECT_EQ(three.after(Call{}), Lines{});
}

TEST(DolevKlaweRodeh, is_woken_by_a_message) {
    Actor<DolevKlaweRodeh> three(3, 9);
    EXPECT_EQ(three.after(First{rank(7)}, 2), (Lines{"Send(4, First(3))", "Send(4, Second(7))"}));
}

TEST(DolevKlaweRodeh, takes_over_the_value_before_it_when_that_is_the_greatest_of_three) {
    Actor<DolevKlaweRodeh> three(3, 9);
    three.after(First{rank(7)}, 2);
    EXPECT_EQ(three.after(Second{rank(5)}, 2), Lines{"Send(4, First(7))"});
    EXPECT_EQ(three.node.state, State::active);
}

TEST(DolevKlaweRodeh, becomes_passive_when_the_value_before_it_is_not_the_greatest) {
    Actor<DolevKlaweRodeh> beaten_by_itself(8, 9), beaten_before(3, 9);
    beaten_by_itself.after(First{rank(7)}, 7);
    EXPECT_EQ(beaten_by_itself.after(Second{rank(5)}, 7), Lines{});
    EXPECT_EQ(beaten_by_itself.node.state, State::passive);
    beaten_before.after(First{rank(7)}, 2);
    EXPECT_EQ(beaten_before.after(Second{rank(9)}, 2), Lines{});
    EXPECT_EQ(beaten_before.node.state, State::passive);
}

TEST(DolevKlaweRodeh, relays_everything_when_passive) {
    Actor<DolevKlaweRodeh> three(3, 9);
    three.node.state = State::passive;
    EXPECT_EQ(three.after(First{rank(1)}, 2), Lines{"Send(4, First(1))"});
    EXPECT_EQ(three.after(Second{rank(3)}, 2), Lines{"Send(4, Second(3))"});
    EXPECT_EQ(three.after(Call{}), Lines{});
}

TEST(DolevKlaweRodeh, announces_the_owner_of_the_value_that_came_back) {
    Actor<DolevKlaweRodeh> three(3, 9);
    three.after(First{rank(7)}, 2);
    three.after(Second{rank(5)}, 2);
    EXPECT_EQ(three.after(First{rank(7)}, 2), (Lines{"Follow(7)", "Send(4, Elected(7))"}));
    EXPECT_EQ(three.after(Elected{rank(7)}, 2), Lines{}) << "the news came full circle";
    EXPECT_EQ(three.node.state, State::idle);
}

TEST(DolevKlaweRodeh, the_owner_learns_that_it_leads_from_the_news) {
    Actor<DolevKlaweRodeh> seven(7, 9);
    seven.node.state = State::passive;
    EXPECT_EQ(seven.after(Elected{rank(7)}, 6), (Lines{"Follow(7)", "Send(8, Elected(7))"}));
    EXPECT_EQ(seven.after(Call{}), Lines{"Send(8, First(7))"}) << "ready for the next election";
}

TEST(DolevKlaweRodeh, elects_the_best_in_a_thousand_random_rings) {
    expect_good_runs("dolev-klawe-rodeh");
}

}  // namespace dolev_klawe_rodeh_test
}  // namespace conclave
