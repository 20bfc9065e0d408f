// The place of every node: the order along the ring, the ranks, and who initiates.
#pragma once

#include <vector>

#include "conclave/core/card.hpp"
#include "conclave/core/graph.hpp"
#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator {

struct Layout {
    std::vector<Id> ring;
    std::vector<std::uint32_t> place;
    std::vector<Rank> ranks;
    Graph graph;          // of places, where the algorithm runs on one
    bool lowest = false;  // the lowest id is the best

    Group group() const { return {ring, place, ranks, lowest}; }
};

Layout lay_out(const Scenario& scenario, const Decisions& decisions, const Card& card);

// The same, for the algorithm that the scenario names.
Layout lay_out(const Scenario& scenario, const Decisions& decisions);

// The graph of a run, whatever its seed: for the checker and for recordings, which have none.
GraphPlan pinned_graph(const Scenario& scenario);

// The nodes that call an election at the start, in the order of the ring.
std::vector<Id> initiators_of(const Scenario& scenario, const Layout& layout);

// The best node that is not down from the start.
Id would_be_winner(const Scenario& scenario, const Group& group);

}  // namespace conclave::simulator
