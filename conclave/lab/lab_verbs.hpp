// The verbs of conclave-lab, in the order of its help.
#pragma once

#include "conclave/cli/laboratory_verb.hpp"
#include "conclave/cli/program.hpp"

namespace conclave::cli {

Verb check_verb();
Verb claims_verb();
Verb lab_verb();
Verb list_verb();
Verb sim_verb();
Verb timed_sim_verb();

inline constexpr Verb (*in_laboratory[])() = {list_verb,   sim_verb, check_verb,
                                              claims_verb, lab_verb, timed_sim_verb};
inline constexpr Group groups[] = {{"laboratory", in_laboratory}};

}  // namespace conclave::cli
