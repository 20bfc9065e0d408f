// The steps by which a recorded run gets smaller or plainer. Each takes a recording and gives
// others to try; whether they still fail is for the caller to see.
#pragma once

#include <cstddef>
#include <vector>

#include "conclave/simulator/campaign/recording.hpp"

namespace conclave::simulator {

// All that can simply be left out of a scenario: faults, calls, late starts, initiators, links and
// clocks of their own, priorities.
std::size_t count_items(const Scenario& scenario);
Scenario keep_items(const Scenario& scenario, const std::vector<std::size_t>& kept);

// Initiators by id instead of by description.
Scenario name_initiators(const Scenario& scenario);

// The others move up: who was 4 is 3 where 3 has gone, on the ring and everywhere.
Recording without_node(const Recording& recording, Id gone);

// The same with less chance in it, one step each; and with rounder times, the roundest first.
std::vector<Recording> plainer(const Recording& recording);
std::vector<Recording> rounder(const Recording& recording, std::size_t place);
std::size_t count_times(const Recording& recording);

}  // namespace conclave::simulator
