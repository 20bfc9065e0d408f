// Rejects legal but meaningless scenarios: an event said twice, a crash of a node that is down.
//
// Only what people say is looked at. Chance is not to blame: a storm hits nodes that are down
// already, and a recording of it says so.
#pragma once

#include <string>
#include <vector>

#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator {

// One sentence for each, as validate() has them, which should have no objection first.
std::vector<std::string> find_slips(const Scenario& scenario);

}  // namespace conclave::simulator
