// Questions about the lease, for the tests that explore it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "conclave/checker/lease_search.hpp"
#include "conclave/lease/rules.hpp"
#include "conclave/trace/diagram.hpp"

namespace conclave::checker {

inline Query with(Query query, const std::string& key, const std::string& value) {
    for (auto& [name, setting] : query.settings)
        if (name == key) {
            setting = value;
            return query;
        }
    query.settings.emplace_back(key, value);
    return query;
}

inline Verdict explore_lease(Query query) {
    query.threads = 2;
    return lease_engine().explore(query, {});
}

// These faults; or all but these.
template <class... Names>
std::uint64_t faults_named(const Names&... names) {
    std::uint64_t bits = 0;
    const auto& faults = process_fault_names();
    for (std::size_t i = 0; i < faults.size(); ++i)
        if (((faults[i] == names) || ...)) bits |= std::uint64_t{1} << i;
    return bits;
}
template <class... Names>
std::uint64_t all_faults_but(const Names&... names) {
    return ~faults_named(names...);
}

inline constexpr std::string_view two_act = "both lead", token_falls = "a token that is not";

inline void expect_found(Query query, lease::Rule rule, std::size_t steps, std::string_view what) {
    query.rules_off |= lease::bit(rule);
    const Verdict verdict = explore_lease(query);
    EXPECT_EQ(verdict.answer, Verdict::Answer::violated);
    EXPECT_EQ(verdict.searched.found.steps.size(), steps);
    EXPECT_NE(verdict.what.find(what), std::string::npos) << verdict.what;
    const std::string picture = trace::diagram(verdict.story.trace, {});
    EXPECT_NE(picture.find(verdict.what), std::string::npos) << picture;
}

// 1 stands at the start, 2 when it is called: fewer runs, where the order does not matter.
inline Query one_after_the_other() {
    Query query = lease_query();
    query.initiators = {Id{1}};
    query.callers = {Id{2}};
    query.budget.calls = 1;
    return query;
}

// An ask of theirs may be repeated before the next heartbeat.
inline Query repeating(const std::string& promise, const std::string& lease) {
    const Query query = with(with(one_after_the_other(), "promise", promise), "lease", lease);
    return with(with(with(query, "heartbeat", "3ms"), "repeat", "1ms"), "asks-max", "2");
}

}  // namespace conclave::checker
