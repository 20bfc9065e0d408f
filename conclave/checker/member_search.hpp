// The whole member in the checker: the very code that agents run, around the bully algorithm, with
// a model of guardian, command and disk beside it.
#pragma once

#include <cstdint>
#include <string_view>

#include "conclave/checker/checker_engines.hpp"

namespace conclave::checker {

const Engine& member_engine();  // find_engine("member")

// Members that have formed a group, come up together and elect a leader before anything goes wrong.
// A message takes a tick, a heartbeat four, a promise twelve. Faults strike in `window` ticks from
// then on, and after the last one there is time enough to elect again.
Query member_query(std::uint32_t members, std::uint32_t window);

// The same where time does not end: only the ticks in which faults strike are counted, so that
// `eventually` can look for a circle in which a majority waits for ever.
Query endless(Query query);

// Of what members say, as bits of Query::mute; 0: there is no such message.
std::uint64_t member_message(std::string_view name);

// "agent-dies" ...: faults of a machine and requests to it, as bits of Query::faults_off.
const std::vector<std::string>& member_fault_names();

}  // namespace conclave::checker
