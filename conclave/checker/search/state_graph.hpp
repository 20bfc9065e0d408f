// All worlds of a small system and the steps between them, kept whole: what questions about
// endless runs need, and what can be drawn.
#pragma once

#include <string>
#include <vector>

#include "conclave/checker/query.hpp"
#include "conclave/checker/search/space.hpp"

namespace conclave::checker {

struct Edge {
    std::uint32_t to;
    Step step;
};

struct StateGraph {
    std::vector<std::vector<std::uint32_t>> worlds;
    std::vector<std::uint64_t> prints;
    std::vector<std::vector<Edge>> edges;  // no fault is owed, but it may strike
    std::vector<std::uint32_t> parent;     // the first worlds are their own
    std::vector<bool> led;                 // or nobody is alive who could lead
    std::vector<bool> quiet;               // nothing happens but faults
    bool complete = false;                 // neither too many worlds nor too long
};

// At most so many worlds, and no longer than so; 0: as long as it takes.
StateGraph draw_graph(Space& space, std::uint64_t worlds_max, Duration time_max = {});

// For Graphviz. The words for worlds and steps are the model's own.
std::string to_dot(const StateGraph& graph, const Space& space, const std::string& title);

}  // namespace conclave::checker
