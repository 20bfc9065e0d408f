// The search itself, on a system whose worlds others have counted too.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/checker/asking.hpp"

namespace conclave::checker {
namespace search_test {

TEST(Search, counts_the_worlds_that_other_explorers_count) {
    for (const auto& [nodes, states] :
         {std::pair{3u, 27u}, {4u, 80u}, {5u, 254u}, {6u, 842u}, {8u, 9940u}, {10u, 124042u}}) {
        const Verdict verdict = ask(worst_ring(nodes));
        EXPECT_EQ(verdict.searched.states, states) << nodes << " nodes";
        EXPECT_EQ(verdict.answer, Verdict::Answer::holds);
        EXPECT_TRUE(verdict.searched.complete);
    }
}

TEST(Search, finds_all_worlds_of_twelve_nodes) {
    Query query = worst_ring(12);
    query.threads = 2;
    EXPECT_EQ(ask(query).searched.states, 1604676u);
    query.start_steps = false;
    EXPECT_EQ(ask(query).searched.states, 742912u);
    query.start_steps = true;
    query.reduce = true;
    const Verdict reduced = ask(query);
    EXPECT_EQ(reduced.searched.states, 103u);
    EXPECT_EQ(reduced.answer, Verdict::Answer::holds);
}

TEST(Search, needs_at_most_sixteen_bytes_a_world) {
    Query query = worst_ring(11);
    const Verdict verdict = ask(query);
    EXPECT_LE(verdict.searched.set_bytes, 16 * verdict.searched.states);
}

TEST(Search, holds_for_every_order_of_six_nodes_with_and_without_reduction) {
    Query query = worst_ring(6);
    std::sort(query.ring.begin(), query.ring.end());
    std::uint64_t all = 0, reduced = 0;
    do {
        query.reduce = false;
        const Verdict full = ask(query);
        query.reduce = true;
        const Verdict less = ask(query);
        ASSERT_EQ(full.answer, Verdict::Answer::holds);
        ASSERT_EQ(less.answer, full.answer);
        all += full.searched.states;
        reduced += less.searched.states;
    } while (std::next_permutation(query.ring.begin(), query.ring.end()));
    EXPECT_EQ(all, 374418u);  // as an enumeration with whole states in another language found
    EXPECT_LT(reduced, all / 10);
}

TEST(Search, shows_the_shortest_way_to_a_world_without_a_leader) {
    Query query = worst_ring(3);
    query.start_steps = false;
    query.budget.losses = 1;
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::violated);
    EXPECT_EQ(verdict.property, "leader");
    EXPECT_EQ(verdict.searched.found.steps.size(), 4u);  // lose the best, swallow the others
    query.threads = 2;
    EXPECT_EQ(ask(query).searched.found.steps.size(), 4u);
    query.exact = true;
    EXPECT_EQ(ask(query).property, "leader");
}

TEST(Search, says_that_it_reached_a_limit) {
    Query query = worst_ring(10);
    query.states_max = 1000;
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::unknown);
    EXPECT_FALSE(verdict.searched.complete);
}

TEST(Search, heeds_its_limit_of_time_within_a_level) {
    Query query = worst_ring(14);  // twenty million worlds
    query.time_max = std::chrono::milliseconds(200);
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::unknown);
    EXPECT_LT(verdict.searched.seconds, 20);  // on however busy a machine
}

TEST(Search, says_which_property_had_no_chance_to_fail) {
    Query query = worst_ring(3);
    query.initiators.clear();  // nobody ever leads
    query.properties = {"one-leader", "best", "leader", "invariant", "rows"};
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.property, "leader");
    EXPECT_EQ(verdict.untested, (std::vector<std::string>{"one-leader", "best", "invariant"}));
    query.properties = {"one-leader", "rows"};
    EXPECT_EQ(ask(query).untested, (std::vector<std::string>{"one-leader", "rows"}));
    query = worst_ring(3);
    EXPECT_TRUE(ask(query).untested.empty());  // what the card promises is all at stake
}

TEST(Search, heeds_its_limits_while_all_start) {
    Query query = timed(all_call("tempo", 3), 20);  // election timers: sixteen million ways
    query.states_max = 1000;
    Verdict verdict = ask(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::unknown);
    EXPECT_TRUE(verdict.searched.crowded);
    EXPECT_EQ(verdict.searched.states, 0u);
    query.states_max = 0;
    query.time_max = std::chrono::milliseconds(50);
    verdict = ask(query);
    EXPECT_TRUE(verdict.searched.crowded);
    EXPECT_EQ(verdict.answer, Verdict::Answer::unknown);
}

TEST(Search, tells_a_caller_who_is_down_unless_a_detector_does) {
    Query query = all_call("ring-collect", 2);
    query.start_steps = true;
    query.budget.crashes = 1;
    query.properties = {"leader"};
    EXPECT_EQ(ask(query).answer, Verdict::Answer::violated);
    query = all_call("bully", 2);
    query.initiators.clear();
    query.budget.crashes = query.budget.calls = 1;
    query.properties = {"leader"};
    const std::uint64_t told = ask(query).searched.states;
    query.detector = true;
    EXPECT_NE(ask(query).searched.states, told);
}

TEST(Search, refuses_to_answer_for_those_who_read_the_clock) {
    EXPECT_TRUE(ask(all_call("archimedean", 3)).clock_read);
    Query query = all_call("itai-rodeh", 2);
    query.settings = {{"names", "2"}};
    query.states_max = 1000;
    EXPECT_FALSE(ask(query).clock_read);
    query.settings.emplace_back("timing", "synchronous");
    const Verdict verdict = ask(query);
    EXPECT_TRUE(verdict.clock_read);
    EXPECT_EQ(verdict.answer, Verdict::Answer::unknown);
}

}  // namespace search_test
}  // namespace conclave::checker
