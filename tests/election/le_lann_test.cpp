#include "conclave/election/le_lann.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace le_lann_test {

using Token = LeLann::Token;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }

TEST(LeLann, sends_its_rank_round_once_while_it_waits) {
    Actor<LeLann> three(3, 5);
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Token(3))"});
    EXPECT_EQ(three.after(Call{}), Lines{});
}

TEST(LeLann, holds_nothing_back) {
    Actor<LeLann> three(3, 5);
    three.after(Call{});
    EXPECT_EQ(three.after(Token{rank(2)}, 2), Lines{"Send(4, Token(2))"});
}

TEST(LeLann, leads_when_its_rank_is_home_and_none_better_has_passed) {
    Actor<LeLann> three(3, 5);
    three.after(Call{});
    three.after(Token{rank(2)}, 2);
    EXPECT_EQ(three.after(Token{rank(3)}, 2), Lines{"Follow(3)"});
}

TEST(LeLann, follows_the_best_that_passed_when_its_rank_is_home) {
    Actor<LeLann> three(3, 5);
    three.after(Call{});
    three.after(Token{rank(5)}, 2);
    EXPECT_EQ(three.after(Token{rank(4)}, 2).back(), "Send(4, Token(4))");
    EXPECT_EQ(three.after(Token{rank(3)}, 2), Lines{"Follow(5)"});
    EXPECT_EQ(three.after(Call{}), Lines{"Send(4, Token(3))"}) << "it waits no longer";
}

TEST(LeLann, who_does_not_initiate_follows_the_best_that_passed) {
    Actor<LeLann> three(3, 5);
    EXPECT_EQ(three.after(Token{rank(1)}, 2), (Lines{"Follow(1)", "Send(4, Token(1))"}));
    EXPECT_EQ(three.after(Token{rank(2)}, 2), (Lines{"Follow(2)", "Send(4, Token(2))"}));
    EXPECT_EQ(three.after(Token{rank(1)}, 2), (Lines{"Follow(2)", "Send(4, Token(1))"}));
}

TEST(LeLann, with_the_filter_wakes_and_holds_back_what_is_worse) {
    Actor<LeLann> three(3, 5);
    three.settings.filter = true;
    EXPECT_EQ(three.after(Token{rank(2)}, 2), Lines{"Send(4, Token(3))"});
    EXPECT_EQ(three.after(Token{rank(1)}, 2), Lines{});
    EXPECT_EQ(three.after(Token{rank(5)}, 2), (Lines{"Follow(5)", "Send(4, Token(5))"}));
}

TEST(LeLann, with_the_filter_sends_nothing_of_its_own_after_a_better_rank) {
    Actor<LeLann> three(3, 5);
    three.settings.filter = true;
    three.after(Token{rank(4)}, 2);
    EXPECT_EQ(three.after(Token{rank(2)}, 2), Lines{});
}

TEST(LeLann, elects_an_initiator_in_a_thousand_random_rings) { expect_good_runs("le-lann"); }

TEST(LeLann, elects_the_best_initiator_not_the_best_process) {
    Scenario scenario = ring_of(7, Who::listed);
    scenario.initiators.ids = {Id{2}, Id{5}, Id{3}};
    const Outcome outcome = run("le-lann", scenario);
    EXPECT_EQ(outcome.leader, Id{5});
    EXPECT_EQ(outcome.messages, 3 * 7u);
}

}  // namespace le_lann_test
}  // namespace conclave
