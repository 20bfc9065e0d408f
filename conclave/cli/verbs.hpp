// The verbs of the tool, in the order of its help.
#pragma once

#include "conclave/cli/command.hpp"

namespace conclave::cli {

Verb agent_verb();
Verb bound_verb();
Verb check_verb();
Verb claims_verb();
Verb doctor_verb();
Verb is_leader_verb();
Verb keygen_verb();
Verb leader_verb();
Verb list_verb();
Verb members_verb();
Verb pause_verb();
Verb resign_verb();
Verb resume_verb();
Verb run_verb();
Verb sim_verb();
Verb status_verb();
Verb timed_verb();
Verb transfer_verb();
Verb vouch_verb();
Verb watch_verb();
Verb why_verb();

inline constexpr Verb (*verbs[])() = {
    run_verb,    agent_verb,  status_verb,   leader_verb, is_leader_verb, members_verb, watch_verb,
    why_verb,    resign_verb, transfer_verb, pause_verb,  resume_verb,    vouch_verb,   bound_verb,
    doctor_verb, keygen_verb, list_verb,     sim_verb,    check_verb,     claims_verb,  timed_verb};

}  // namespace conclave::cli
