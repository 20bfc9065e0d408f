// Questions about formation and the whole member, for the tests that explore them.
#pragma once

#include <gtest/gtest.h>

#include "conclave/checker/formation_search.hpp"
#include "conclave/checker/member_search.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::checker {

template <class... Names>
std::uint64_t member_faults_named(const Names&... names) {
    std::uint64_t bits = 0;
    const auto& faults = member_fault_names();
    for (std::size_t i = 0; i < faults.size(); ++i)
        if (((faults[i] == names) || ...)) bits |= std::uint64_t{1} << i;
    return bits;
}

// A crash with return, and three of: a pause, a full disk, an operator's request, in `window`
// ticks.
inline Query hand_over(std::uint32_t members, std::uint32_t window) {
    Query query = member_query(members, window);
    query.budget.crashes = query.budget.recoveries = 1;
    query.budget.process_faults = 3;
    query.faults_off = ~member_faults_named("agent-pauses", "agent-resumes", "disk-fills",
                                            "disk-recovers", "asked-to-leave");
    query.threads = 2;
    return query;
}

// A crash with return, and some of: a pause, a full disk, an operator who asks a node to leave.
inline Query with_all(Query query, std::uint8_t process_faults) {
    query.budget.crashes = query.budget.recoveries = 1;
    query.budget.process_faults = process_faults;
    return query;
}

inline void expect_complete(const Verdict& verdict, std::uint64_t states_least) {
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << verdict.property << ": " << verdict.what;
    EXPECT_TRUE(verdict.searched.complete);
    EXPECT_TRUE(verdict.untested.empty());
    EXPECT_GT(verdict.searched.states, states_least);
    testing::Test::RecordProperty("states", std::to_string(verdict.searched.states));
}
inline void expect_holds(const Query& query, std::uint64_t states_least) {
    expect_complete(member_engine().explore(query, {}), states_least);
}
inline void expect_formed(const Query& query) {
    expect_complete(formation_engine().explore(query, {}), 1'000);
}

inline void expect_violated(const Query& query, std::string_view property) {
    const Verdict verdict = member_engine().explore(query, {});
    EXPECT_EQ(verdict.answer, Verdict::Answer::violated);
    EXPECT_EQ(verdict.property, property) << verdict.what;
}

}  // namespace conclave::checker
