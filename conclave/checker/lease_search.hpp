// The lease in the checker: the very code that agents run, with a model of guardian and command
// beside it, around an election that may wish for anybody at any time.
#pragma once

#include <string_view>
#include <vector>

#include "conclave/checker/checker_engines.hpp"

namespace conclave::checker {

const Engine& lease_engine();  // find_engine("lease")

// Three members of whom 1 and 2 stand at the start and at every call, clocks that advance by 1 or 2
// units a tick, a promise of 3 units and a lease of 1, as long as it may be; messages take for
// ever, or any shorter time. Each member stands once, and asks once.
Query lease_query();

// The same with rosters that change (M1 to M10): find_engine("roster").
const Engine& roster_engine();
// Four machines, of which the first three are members, and the fourth is added. Nobody renews a
// lease: asks are those of elections and of changes.
Query roster_query();

// "quarantine-after-restart" ...: the rules that can be switched off, as bits of Query::rules_off.
const std::vector<std::string>& lease_rules();
const std::vector<std::string>& roster_rules();  // those of changing rosters, too
// "agent-dies" ...: the faults of a machine besides a crash, as bits of Query::faults_off.
const std::vector<std::string>& process_fault_names();

}  // namespace conclave::checker
