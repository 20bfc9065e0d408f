// Whether a scenario makes sense, whoever made it: the command line, a file or a program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/scenario/words.hpp"

namespace conclave::simulator {

// One sentence for each thing that cannot be: what, and what would be right.
std::vector<std::string> validate(const Scenario& scenario);

// Tells them to a fresh scenario and looks whether it makes sense, and whether it is meant. Empty,
// or a sentence that begins with the place of the saying to blame, if it came from a file.
std::string tell_sound(Scenario& scenario, std::span<const options::Given> given);
// The same for what a run was made of, in part by chance: only what cannot be is refused.
std::string tell_recorded(Scenario& scenario, std::span<const options::Given> given);

// "there is no algorithm 'buly': did you mean bully?" `more` is one that others do not know.
std::string unknown_algorithm(std::string_view name,
                              const std::vector<std::string_view>& more = {});

}  // namespace conclave::simulator
