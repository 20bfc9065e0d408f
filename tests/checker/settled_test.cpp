// What the searches settle, as far as it is quick; the rest is in settled_soak.cpp.
#include <gtest/gtest.h>

#include "tests/checker/settled.hpp"

namespace conclave::checker {
namespace settled_test {

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
    query.settings.emplace_back("candidate-timer", "1ms");
    EXPECT_TRUE(violated(query));
}

TEST(Settled, nemeth_of_four_has_two_if_one_comes_up_at_any_time) {
    Query query = exchange(4, 20);
    query.late = {Id{4}};
    EXPECT_TRUE(violated(query));
}

// The claims' own searches; those that take longer are in settled_soak.cpp.
TEST(Settled, tempo_has_two_masters_exactly_where_the_claims_say_so) {
    for (const auto& searches :
         {claims::tempo::start_searches(), claims::tempo::election_searches()})
        for (const claims::tempo::Search& search : searches)
            if (!search.only_full) expect_settled(search, 1);
}

TEST(Settled, tempo_of_three_has_two_masters_if_newcomers_may_come_up_when_the_master_is_gone) {
    Query query = claims::tempo::daemons(3);
    query.settings.emplace_back("at-startup", "drop");
    query.budget.crashes = 1;
    EXPECT_TRUE(holds(query));
    query.faults_from = query.late_from;
    EXPECT_TRUE(violated(query));
}

TEST(Settled, no_run_leaves_a_late_one_out_where_all_must_start) {
    Query query = claims::tempo::daemons(3);
    const Verdict all = ask(query);
    query.late_all = false;
    const Verdict some = ask(query);
    ASSERT_TRUE(all.searched.complete && some.searched.complete);
    EXPECT_LT(all.searched.states, some.searched.states);
}

}  // namespace settled_test
}  // namespace conclave::checker
