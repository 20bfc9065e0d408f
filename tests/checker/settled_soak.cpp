// Searches that take longer than a commit should.
#include <gtest/gtest.h>

#include <array>

#include "tests/checker/settled.hpp"

namespace conclave::checker {
namespace settled_soak {

TEST(SettledAtLength, all_rings_of_seven_elect_the_best) {
    Query query = worst_ring(7);
    std::sort(query.ring.begin(), query.ring.end());
    std::uint64_t states = 0;
    do {
        const Verdict verdict = ask(query);
        ASSERT_EQ(verdict.answer, Verdict::Answer::holds);
        states += verdict.searched.states;
    } while (std::next_permutation(query.ring.begin(), query.ring.end()));
    EXPECT_EQ(states, 7378847u);  // as another program counts
}

TEST(SettledAtLength, bully_elects_the_best_of_six_though_two_fail) {
    Query query = failing_bully(6);
    query.threads = 2;
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << verdict.what;
    EXPECT_EQ(verdict.searched.states, 1436215u);
}

// Of the systems in which each of thirty links takes one tick or two, some.
TEST(SettledAtLength, bully_elects_the_best_of_six_though_links_differ_and_two_fail) {
    std::uint32_t system = 1;
    for (int i = 0; i < 4; ++i) {
        system = system * 1664525u + 1013904223u;
        Query query = failing_bully(6);
        query.delay_max = 2;
        query.settings = {{"timeout", "5ms"}, {"patience", "13ms"}, {"grace", "13ms"},
                          {"listen", "off"},  {"news", "last"},     {"trusting", "messages"}};
        query.threads = 2;
        std::uint32_t link = 0;
        for (const Id from : query.ring)
            for (const Id to : query.ring)
                if (from != to) query.delays.push_back({from, to, 1 + (system >> link++ & 1)});
        EXPECT_TRUE(holds(query)) << "system " << system;
    }
}

TEST(SettledAtLength, bully_elects_the_best_of_four_whatever_each_message_takes) {
    Query query = failing_bully(4);
    query.delay_min = 0;
    query.threads = 2;
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << verdict.what;
    EXPECT_EQ(verdict.searched.states, 5801680u);
}

TEST(SettledAtLength, nemeth_of_four_has_one_coordinator_while_nodes_only_fail) {
    Query query = exchange(4, 20);
    query.budget.crashes = 2;
    EXPECT_TRUE(holds(query));
}

TEST(SettledAtLength, nemeth_of_four_repaired_has_one_though_one_comes_up_at_any_time) {
    Query query = exchange(4, 20);
    query.late = {Id{4}};
    query.settings.emplace_back("repair", "on");
    EXPECT_TRUE(holds(query));
}

// Each of twelve links takes k/2 or k: 4096 systems, of which every seventh is searched here.
TEST(SettledAtLength, nemeth_of_four_has_one_though_links_differ_and_one_fails) {
    std::uint64_t states = 0;
    for (std::uint32_t system = 0; system < 4096; system += 7) {
        Query query = exchange(4, 40);
        query.tick = std::chrono::microseconds(500);
        query.delay_max = 2;
        query.threads = 2;
        query.budget.crashes = 1;
        std::uint32_t link = 0;
        for (const Id from : query.ring)
            for (const Id to : query.ring)
                if (from != to) query.delays.push_back({from, to, 1 + (system >> link++ & 1)});
        const Verdict verdict = ask(query);
        ASSERT_EQ(verdict.answer, Verdict::Answer::holds) << "system " << system;
        states += verdict.searched.states;
    }
    EXPECT_GT(states, 10'000'000u);
}

// Every node hears of the others after one, two and three ticks, in every way in which four nodes
// can be given these; k is three. Some of the 1296 systems.
std::vector<Query> unequal_exchanges(std::uint32_t ticks, std::uint32_t first, std::uint32_t step) {
    std::vector<Query> list;
    std::vector<std::array<std::uint32_t, 3>> orders;
    std::array<std::uint32_t, 3> order{1, 2, 3};
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    for (std::uint32_t system = first; system < 1296; system += step) {
        Query query = exchange(4, ticks);
        query.delay_max = 3;
        query.settings = {{"clocks", "counter"},         {"life", "own"},
                          {"candidate-timer", "7ms"},    {"election-timer", "17ms"},
                          {"reorganizing-timer", "9ms"}, {"life-interval", "13ms"},
                          {"life-timer", "25ms"}};
        std::uint32_t choice = system;
        for (const Id to : query.ring) {
            auto delay = orders[choice % 6].begin();
            for (const Id from : query.ring)
                if (from != to) query.delays.push_back({from, to, *delay++});
            choice /= 6;
        }
        query.budget.crashes = query.budget.recoveries = 1;
        query.threads = 2;
        list.push_back(query);
    }
    return list;
}

TEST(SettledAtLength, nemeth_of_four_has_two_if_one_fails_and_returns) {
    for (const Query& query : unequal_exchanges(60, 5, 61)) EXPECT_TRUE(violated(query));
}

TEST(SettledAtLength, nemeth_of_four_repaired_has_one_though_one_fails_and_returns) {
    for (Query& query : unequal_exchanges(36, 5, 161)) {
        query.settings.emplace_back("repair", "on");
        EXPECT_TRUE(holds(query));
    }
}

TEST(SettledAtLength, nemeth_of_four_has_two_if_the_candidate_timer_is_twice_the_delay) {
    Query query = exchange(4, 20);
    query.settings.emplace_back("candidate-timer", "2ms");
    EXPECT_TRUE(violated(query));
}

TEST(SettledAtLength, tempo_has_two_masters_exactly_where_the_claims_say_so) {
    for (const auto& searches :
         {claims::tempo::start_searches(), claims::tempo::election_searches()})
        for (const claims::tempo::Search& search : searches)
            if (search.only_full) expect_settled(search, 2);
}

// A master that fails when its newcomers have just become slaves, and delays, timers and orders of
// every kind.
TEST(SettledAtLength, tempo_of_three_has_one_master_though_timers_and_delays_differ) {
    Query query = claims::tempo::daemons(3, {.least = 0});
    query.settings.emplace_back("R", "2ms");
    query.settings.emplace_back("at-startup", "drop");
    query.budget.crashes = 1;
    query.faults_until = query.faults_from + 8;  // longer than from one adjustment to the next
    query.threads = 2;
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << verdict.what;
    EXPECT_EQ(verdict.searched.states, 25685275u);
}

}  // namespace settled_soak
}  // namespace conclave::checker
