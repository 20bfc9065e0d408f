// The options of a scenario: --crash 3@2s on the command line, crash = "3@2s" in a file.
//
// The command line, its help, scenario files and recordings are all made from one table, so that
// they cannot drift apart.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conclave/options/option_table.hpp"
#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator {

const options::Table<Scenario>& scenario_table();

// Reads them into the scenario, the algorithm first because others name its messages. Empty, or the
// sentence that refuses one.
std::string tell(Scenario& scenario, std::span<const options::Given> given);

// All that is needed to make a fresh scenario like this one.
std::vector<options::Given> to_given(const Scenario& scenario);

// The same as a command that a shell understands: "conclave sim bully --crash 3@2s --seed 7".
std::string to_command(const Scenario& scenario);

}  // namespace conclave::simulator
