// How a first roster comes about, in the checker: the very code that agents run, on machines with
// disks.
#pragma once

#include <cstdint>

#include "conclave/checker/checker_engines.hpp"

namespace conclave::checker {

const Engine& formation_engine();  // find_engine("formation")

// A group of as many as `nodes` forms, unless the setting `expect` says otherwise. A heartbeat is
// two ticks and a message takes one. Faults strike in the first `window` ticks, and time ends three
// heartbeats after the last one.
Query formation_query(std::uint32_t nodes, std::uint32_t window);

// "agent-pauses" ...: as bits of Query::faults_off.
const std::vector<std::string>& formation_fault_names();

}  // namespace conclave::checker
