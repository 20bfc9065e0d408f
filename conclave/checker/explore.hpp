// Answers a query about a system whose nodes are hidden behind numbers.
#pragma once

#include <string>
#include <vector>

#include "conclave/checker/verdict.hpp"
#include "conclave/checker/world/nodes.hpp"
#include "conclave/checker/world/shared.hpp"

namespace conclave::checker {

// The query with its defaults: properties that the card promises, and a limit where a whole graph
// is looked at. `own`: the system has properties besides those that can be named.
Query with_defaults(const Query& asked, const Card& card, const NodeTraits& traits, bool own);

// `asked`: as somebody asked, before defaults. `own`: properties that only this system has.
Verdict explore_nodes(const Query& asked, Shared& shared, Nodes& nodes, std::vector<Property> own,
                      const Report& report);

std::string draw_nodes(Shared& shared, Nodes& nodes, std::uint64_t states_max);

}  // namespace conclave::checker
