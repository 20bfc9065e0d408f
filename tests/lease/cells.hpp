// Questions about the lease over a shared cell, for the tests that explore it.
#pragma once

#include <gtest/gtest.h>

#include "conclave/checker/cell_search.hpp"
#include "conclave/checker/member_search.hpp"
#include "tests/lease/searches.hpp"

namespace conclave::checker {

// Clocks that agree: fewer states, where drift is not the question.
inline Query same_pace() {
    Query query = with(with(cell_query(), "promise", "2ms"), "lease", "1ms");
    query.rate_max = 1;
    return query;
}

// These faults alone.
template <class... Names>
Query suffers(Query query, const Names&... names) {
    const auto& faults = member_fault_names();
    query.budget.process_faults = 1;
    query.faults_off = ~std::uint64_t{0};
    for (std::size_t i = 0; i < faults.size(); ++i)
        if (((faults[i] == names) || ...)) query.faults_off &= ~(std::uint64_t{1} << i);
    return query;
}

inline Query crashes(Query query) {
    query.budget.crashes = query.budget.recoveries = 1;
    return query;
}

inline Verdict explore_cell(Query query) {
    query.threads = 2;
    return cell_engine().explore(query, {});
}

inline void expect_safe_cell(const Query& query, std::uint64_t states) {
    const Verdict verdict = explore_cell(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << verdict.what;
    EXPECT_TRUE(verdict.searched.complete);
    EXPECT_TRUE(verdict.untested.empty());  // somebody came to act
    EXPECT_EQ(verdict.searched.states, states);
}

}  // namespace conclave::checker
