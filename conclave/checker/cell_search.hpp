// The lease over a shared cell in the checker: the very code that conclave-engine runs, with a
// model of the cell, of guardian and of command beside it.
#pragma once

#include <string>
#include <vector>

#include "conclave/checker/checker_engines.hpp"
#include "conclave/lease/cell.hpp"

namespace conclave::checker {

const Engine& cell_engine();  // find_engine("cell")

// Node 1 is the cell, the others are candidates from the start. Clocks advance by 1 or 2 units a
// tick, L is 3 units and D is 1, as long as it may be; messages take for ever, or any shorter time.
// Each candidate reads the cell once and writes twice: it takes the cell, and renews its claim.
Query cell_query();

// "version-compared" ...: the rules that can be switched off, as bits of Query::rules_off.
const std::vector<std::string>& cell_rules();

}  // namespace conclave::checker
