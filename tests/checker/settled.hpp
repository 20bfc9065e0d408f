// The papers' conditions as searches. Every message takes exactly one tick of a millisecond unless
// said otherwise, timers fire when due, events at equal times come in every order.
#pragma once

#include <gtest/gtest.h>

#include "conclave/claims/tempo/tempo_searches.hpp"
#include "tests/checker/asking.hpp"

namespace conclave::checker {

inline Query in_step(std::string_view algorithm, std::uint32_t nodes) {
    Query query = all_call(algorithm, nodes);
    query.timing = Timing::bounded;
    query.delay_min = query.delay_max = 1;
    return query;
}

// Up to two processes fail at any time of an election that all call; an answer takes two ticks, so
// the first timeout is three.
inline Query failing_bully(std::uint32_t nodes) {
    Query query = in_step("bully", nodes);
    query.settings = {{"timeout", "3ms"}, {"patience", "7ms"}, {"grace", "7ms"}, {"listen", "off"}};
    query.budget.crashes = 2;
    query.properties = {"one-leader", "agreement", "best"};
    return query;
}

inline Query exchange(std::uint32_t nodes, std::uint32_t ticks) {
    Query query = in_step("nemeth", nodes);
    query.initiators.clear();
    query.ticks_max = ticks;
    query.properties = {"one-leader"};
    return query;
}

// What a claim searches comes out as it says, with as many states as it says.
inline void expect_settled(const claims::tempo::Search& search, std::uint32_t threads) {
    const Verdict verdict = claims::tempo::explore(search.query, threads);
    EXPECT_TRUE(claims::tempo::as_expected(search, verdict)) << search.name;
    EXPECT_EQ(search.holds ? verdict.searched.states : 0, search.states) << search.name;
}

inline bool holds(const Query& query) { return ask(query).answer == Verdict::Answer::holds; }
inline bool violated(const Query& query) { return ask(query).answer == Verdict::Answer::violated; }

}  // namespace conclave::checker
