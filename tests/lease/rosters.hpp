// Questions about rosters that change, for the tests that explore them.
#pragma once

#include <initializer_list>
#include <utility>

#include "tests/lease/searches.hpp"

namespace conclave::checker {

using Given = std::initializer_list<std::pair<const char*, const char*>>;

// Three machines, all members unless `founders` says otherwise; 1 stands at the start. Clocks that
// agree, L = 3 and D = 2: a tick more would be too long.
inline Query rosters(const char* changes, const Given& given = {}) {
    Query query = with(roster_query(), "changes", changes);
    query.ring = {Id{1}, Id{2}, Id{3}};
    query.initiators = {Id{1}};
    query.callers = {};
    query.faults_off = (std::uint64_t{1} << process_fault_names().size()) - 1;
    for (const auto& [key, value] : given) query = with(query, key, value);
    return query;
}
inline Query with_machines(Query query, std::uint32_t count) {
    query.ring.clear();
    for (std::uint32_t i = 1; i <= count; ++i) query.ring.push_back(Id{i});
    return query;
}
// One of these is called once, and then stands.
inline Query with_call(Query query, std::vector<Id> callers) {
    query.budget.calls = 1;
    query.callers = std::move(callers);
    return query;
}
inline Query with_crash(Query query, bool restart, bool lost_disk) {
    query.budget.crashes = 1;
    query.budget.recoveries = restart ? 1 : 0;
    query.budget.blank_recoveries = lost_disk ? 1 : 0;
    return query;
}
template <class... Names>
Query with_faults(Query query, const Names&... names) {
    query.budget.process_faults = 1;
    query.faults_off &= ~faults_named(names...);
    return query;
}

inline Verdict explore_rosters(Query query) {
    query.threads = 2;
    return roster_engine().explore(query, {});
}

// Complete, with just so many states: a rule that no longer does anything would change that.
inline void expect_safe(const Query& query, std::uint64_t states) {
    const Verdict verdict = explore_rosters(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::holds)
        << verdict.what << trace::diagram(verdict.story.trace, {});
    EXPECT_TRUE(verdict.searched.complete);
    EXPECT_TRUE(verdict.untested.empty());
    EXPECT_EQ(verdict.searched.states, states);
}

// Without the rule, by a shortest run of so many steps; with it, never.
inline void expect_needed(Query query, lease::RosterRule rule, std::size_t steps,
                          std::string_view what) {
    query.rules_off |= lease::bit(rule);
    const Verdict verdict = explore_rosters(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::violated);
    EXPECT_EQ(verdict.searched.found.steps.size(), steps);
    EXPECT_NE(verdict.what.find(what), std::string::npos) << verdict.what;
}

}  // namespace conclave::checker
