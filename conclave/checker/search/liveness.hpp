// Does every fair run come to a leader? Looks for a run that ends without one, or goes in circles
// for ever, though every message that keeps waiting is delivered and every timer that stays due
// expires at some time.
#pragma once

#include "conclave/checker/search/state_graph.hpp"

namespace conclave::checker {

struct Lasso {
    bool found = false;
    bool complete = false;  // the whole graph was seen
    bool tested = false;    // some run ends or goes in circles, so there was a chance to fail
    std::uint64_t states = 0;
    std::vector<std::vector<std::uint32_t>>
        worlds;  // first world .. start of the circle .. round it
    std::vector<Step> steps;
    std::size_t circle = 0;  // how many of the steps, at the end, go round; 0: the run is over
};

// Of the graph, each world with all its steps: some gigabytes.
inline constexpr std::uint64_t lasso_worlds_max = 4'000'000;

Lasso find_lasso(const Query& query, Space& space, Duration time_max);

}  // namespace conclave::checker
