// The checker's answer about one algorithm. Defined per algorithm in a translation unit of its own.
#pragma once

#include <string>
#include <vector>

#include "conclave/checker/query.hpp"
#include "conclave/checker/search/search.hpp"
#include "conclave/checker/story/telling.hpp"

namespace conclave::checker {

struct Verdict {
    // vacuous: nothing was violated, and nothing could have been: no property was ever at stake
    enum class Answer : std::uint8_t { holds, violated, vacuous, unknown };
    std::string algorithm;
    std::uint32_t nodes = 0;
    Answer answer = Answer::unknown;
    std::vector<std::string> properties;  // that were looked at
    std::string property;                 // the one that is violated
    std::string what;
    Searched searched;
    std::uint64_t rows_missing = 0;  // bits of rows that never fired, where rows were asked for
    std::vector<std::string> rows_silent;  // their names
    std::vector<std::string> untested;     // properties that never had a chance to fail
    Story story;                           // of the counterexample
    std::size_t circle = 0;                // so many of its last steps repeat for ever
    bool coarse = false;                   // some choice had too many outcomes to try them all
    bool clock_read = false;               // a turn depends on the time of day: there is no answer
    double collision = 0;                  // probability that two worlds shared a fingerprint
};

template <class A>
Verdict explore(const Query& query, const Report& report);

template <class A>
std::string query_problem(const Query& query);

// All states and steps for Graphviz; empty if there are more states than that.
template <class A>
std::string draw_states(const Query& query, std::uint64_t states_max);

}  // namespace conclave::checker
