// The verbs of the tool, in the order of its help.
#pragma once

#include "conclave/cli/command.hpp"

namespace conclave::cli {

Verb list_verb();
Verb sim_verb();

inline constexpr Verb (*verbs[])() = {list_verb, sim_verb};

}  // namespace conclave::cli
