// Worlds and steps in words, for drawings of the state graph.
#pragma once

#include <string>

#include "conclave/checker/search/space.hpp"
#include "conclave/checker/world/nodes.hpp"
#include "conclave/checker/world/shared.hpp"

namespace conclave::checker {

// A line for each node, and one for each link with something on it.
std::string describe_world(const Shared& shared, const Nodes& nodes, const std::uint32_t* world);
std::string describe_step(const Shared& shared, const Nodes& nodes, const Step& step);

}  // namespace conclave::checker
