// Whether a scenario makes sense, whoever made it: the command line, a file or a program.
#pragma once

#include <string>
#include <vector>

#include "conclave/simulator/scenario.hpp"

namespace conclave::simulator {

// One sentence for each thing that cannot be: what, and what would be right.
std::vector<std::string> validate(const Scenario& scenario);

// "there is no algorithm 'buly': did you mean bully?"
std::string unknown_algorithm(std::string_view name);

}  // namespace conclave::simulator
