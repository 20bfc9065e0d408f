// Németh's exchange in the simulator: runs at random, and what their traces must show.
//
// Time is counted in k, the longest delay: here a millisecond, as the default settings take it.
#pragma once

#include <string>
#include <vector>

#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::claims::exchange {

inline constexpr Duration k = std::chrono::milliseconds(1);

// Every message takes exactly k, or anything up to k. Clocks count events from 0, so that the node
// with the smallest identifier wins the cold start; rows to which that matters set another reading.
simulator::Scenario steady(std::uint32_t nodes);
simulator::Scenario lively(std::uint32_t nodes, std::uint64_t seed);
// Three to six nodes, some of which (never all) fail for good at random times up to 60 k.
simulator::Scenario failing(std::uint64_t seed);
// Three or four nodes that come up within 8 k, fail four times and come back within 20 k of it.
simulator::Scenario returning(std::uint64_t seed);

bool two_coordinators(const simulator::Outcome& outcome);
// Was this cell of the table reached: "(b,6)"?
bool reached(const trace::Trace& trace, std::string_view cell);

// The problem, in a sentence; empty: nothing. Assumptions 9.1 and 9.2; a coordinator's list is
// the set of those that acknowledged its candidacy; of all nodes that never failed, those that a
// configuration lists apply it, or none does.
std::string clock_fault(const trace::Trace& trace);
std::string list_fault(const trace::Trace& trace);
std::string commit_fault(const trace::Trace& trace);

// How long after the last failure the last coordinator was elected, and how long after that the
// last configuration was applied everywhere.
struct Delays {
    Duration election{}, reorganization{};
};
Delays delays_of(const trace::Trace& trace);

// The same run once more for every node and every moment at which it could fail, also in the midst
// of sending, when some copies of a message have left and others have not.
std::vector<simulator::Scenario> failing_anywhere(const simulator::Scenario& scenario);

}  // namespace conclave::claims::exchange
