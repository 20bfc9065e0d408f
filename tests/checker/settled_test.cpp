// What the searches settle, as far as it is quick; the rest is in settled_soak.cpp.
#include <gtest/gtest.h>

#include "tests/checker/settled.hpp"

namespace conclave::checker {
namespace {

TEST(Settled, bully_elects_the_best_of_three_to_five_though_two_fail) {
    for (const auto& [nodes, states] : {std::pair{3u, 371u}, {4u, 3905u}, {5u, 50904u}}) {
        const Verdict verdict = ask(failing_bully(nodes));
        EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << verdict.what;
        EXPECT_EQ(verdict.searched.states, states);
        EXPECT_TRUE(verdict.untested.empty());
    }
}

TEST(Settled, bully_follows_the_dead_if_its_death_is_known_before_its_last_message) {
    Query query = failing_bully(3);
    query.detector = true;  // which may overtake messages
    query.properties = {"leader"};
    EXPECT_TRUE(violated(query));
}

TEST(Settled, nemeth_of_four_has_one_coordinator_at_a_cold_start) {
    const Verdict verdict = ask(exchange(4, 20));
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds);
    EXPECT_EQ(verdict.searched.states, 19541u);
}

TEST(Settled, nemeth_of_four_has_two_if_the_candidate_timer_is_short) {
    Query query = exchange(4, 20);
    query.settings = {{"candidate-timer", "1ms"}};
    EXPECT_TRUE(violated(query));
}

TEST(Settled, nemeth_of_four_has_two_if_one_comes_up_at_any_time) {
    Query query = exchange(4, 20);
    query.late = {Id{4}};
    EXPECT_TRUE(violated(query));
}

TEST(Settled, tempo_has_two_masters_exactly_if_starts_are_within_a_delay) {
    EXPECT_TRUE(violated(late(daemons(2, 30), {Id{2}}, 1)));
    EXPECT_TRUE(holds(late(daemons(2, 30), {Id{2}}, 2)));
    Query query = late(daemons(2, 30), {Id{2}}, 2);
    query.delay_min = 0;
    EXPECT_TRUE(holds(query));
    query.late_from = 1;
    EXPECT_TRUE(violated(query));
}

TEST(Settled, tempo_has_one_master_while_newcomers_find_it) {
    EXPECT_TRUE(holds(late(daemons(3, 24), {Id{2}, Id{3}}, 7)));
    Query query = late(daemons(3, 20), {Id{2}, Id{3}}, 7);
    query.budget.calls = 1;  // a needless candidate is told to quit
    EXPECT_TRUE(holds(query));
}

TEST(Settled, tempo_has_two_masters_after_one_lost_message) {
    Query query = late(daemons(3, 30), {Id{2}, Id{3}}, 7);
    query.budget.losses = 1;
    EXPECT_TRUE(violated(query));
}

}  // namespace
}  // namespace conclave::checker
