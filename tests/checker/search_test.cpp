// The search itself, on a system whose worlds others have counted too.
#include <gtest/gtest.h>

#include <algorithm>

#include "conclave/checker/engines.hpp"

namespace conclave::checker {
namespace {

// Chang & Roberts on a ring where every node initiates and ids fall in the direction of travel.
Query worst_ring(std::uint32_t nodes) {
    Query query;
    query.algorithm = "chang-roberts";
    for (std::uint32_t id = nodes; id >= 1; --id) query.ring.push_back(Id{id});
    query.initiators = query.ring;
    query.start_steps = true;
    query.reduce = false;
    return query;
}

Verdict ask(const Query& query) { return find_engine(query.algorithm)->explore(query, {}); }

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

TEST(Search, counts_the_same_with_more_threads_other_salts_and_whole_worlds) {
    Query query = worst_ring(9);
    const Verdict one = ask(query);
    for (const std::uint64_t salt : {1u, 2u}) {
        query.salt = salt;
        EXPECT_EQ(ask(query).searched.states, one.searched.states);
    }
    query.threads = 2;
    const Verdict two = ask(query);
    EXPECT_EQ(two.searched.states, one.searched.states);
    EXPECT_EQ(two.searched.transitions, one.searched.transitions);
    query.exact = true;
    EXPECT_EQ(ask(query).searched.states, one.searched.states);
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

TEST(Search, says_which_property_had_no_chance_to_fail) {
    Query query = worst_ring(3);
    query.initiators.clear();  // nobody ever leads
    query.properties = {"one-leader", "rows"};
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds);
    EXPECT_EQ(verdict.untested.back(), "rows");
}

}  // namespace
}  // namespace conclave::checker
