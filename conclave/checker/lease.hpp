// The lease in the checker: the very code that agents run, with a model of guardian and command
// beside it, around an election that may wish for anybody at any time.
#pragma once

#include <string_view>
#include <vector>

#include "conclave/checker/engines.hpp"

namespace conclave::checker {

const Engine& lease_engine();  // find_engine("lease")

// Three members of whom 1 and 2 stand at the start and at every call, clocks that advance by 1 or 2
// units a tick, a promise of 3 units and a lease of 1, as long as it may be; messages take for
// ever, or any shorter time. Each member stands once, and asks once.
Query lease_query();

// "quarantine-after-restart" ...: the rules that can be switched off, as bits of Query::rules_off.
const std::vector<std::string>& lease_rules();
// "agent-dies" ...: what can befall a machine besides a crash, as bits of Query::woes_off.
const std::vector<std::string>& lease_woes();

}  // namespace conclave::checker
