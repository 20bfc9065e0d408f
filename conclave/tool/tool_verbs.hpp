// The verbs of conclave, in the order of its help. A new verb is a file with one function that
// returns it, and two lines here.
#pragma once

#include "conclave/cli/program.hpp"

namespace conclave::cli {

using MakeVerb = Verb (*)();

Verb agent_verb();
Verb bound_verb();
Verb doctor_verb();
Verb is_leader_verb();
Verb keygen_verb();
Verb leader_verb();
Verb members_verb();
Verb members_add_verb();
Verb members_force_verb();
Verb members_remove_verb();
Verb members_replace_verb();
Verb pause_verb();
Verb resign_verb();
Verb resume_verb();
Verb run_verb();
Verb set_detect_verb();
Verb set_heartbeat_verb();
Verb status_verb();
Verb timed_verb();
Verb timed_check_verb();
Verb timed_now_verb();
Verb timed_resign_verb();
Verb timed_set_verb();
Verb timed_status_verb();
Verb timed_wait_verb();
Verb timed_watch_verb();
Verb transfer_verb();
Verb vouch_verb();
Verb watch_verb();
Verb why_verb();

// Of the laboratory.
Verb check_verb();
Verb claims_verb();
Verb lab_verb();
Verb list_verb();
Verb sim_verb();
Verb timed_sim_verb();

inline constexpr MakeVerb running[] = {run_verb, agent_verb, keygen_verb};
inline constexpr MakeVerb looking[] = {status_verb, leader_verb, is_leader_verb, members_verb,
                                       watch_verb,  why_verb,    bound_verb,     doctor_verb};
inline constexpr MakeVerb steering[] = {
    resign_verb,        transfer_verb,    pause_verb,          resume_verb,
    vouch_verb,         members_add_verb, members_remove_verb, members_replace_verb,
    members_force_verb, set_detect_verb,  set_heartbeat_verb};
inline constexpr MakeVerb keeping_time[] = {timed_verb,      timed_status_verb, timed_check_verb,
                                            timed_wait_verb, timed_now_verb,    timed_watch_verb,
                                            timed_set_verb,  timed_resign_verb};
inline constexpr MakeVerb in_laboratory[] = {list_verb,   sim_verb, check_verb,
                                             claims_verb, lab_verb, timed_sim_verb};

inline constexpr Group groups[] = {{"run a group", running},
                                   {"look", looking},
                                   {"steer", steering},
                                   {"time", keeping_time},
                                   {"laboratory", in_laboratory}};

}  // namespace conclave::cli
