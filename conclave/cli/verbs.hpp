// The verbs of the tool, in the order of its help.
#pragma once

#include "conclave/cli/command.hpp"

namespace conclave::cli {

Verb check_verb();
Verb claims_verb();
Verb keygen_verb();
Verb list_verb();
Verb sim_verb();

inline constexpr Verb (*verbs[])() = {list_verb, sim_verb, check_verb, claims_verb, keygen_verb};

}  // namespace conclave::cli
