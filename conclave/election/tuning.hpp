// The election's own timers, from what a deployed node knows: how soon a live member answers.
//
// The renewals of the lease are the heartbeat, and the agent's failure detector reads them. So
// TEMPO's periodical adjustment, which is a heartbeat too, is put off for days: what it would
// notice the detector has noticed long before, and calls an election.
#pragma once

#include "conclave/election/bully.hpp"
#include "conclave/election/invitation.hpp"
#include "conclave/election/multicast.hpp"
#include "conclave/election/nemeth.hpp"
#include "conclave/election/tempo.hpp"

namespace conclave {

inline void tune(Bully::Settings& settings, Duration answer) {
    settings.timeout = answer;
    settings.patience = 3 * answer;
    settings.grace = 2 * answer;
}

inline void tune(TempoSettings& settings, Duration answer) {
    const Duration days = std::chrono::hours(24) * 2;
    settings.sync = days;
    settings.r = 2 * days;
    settings.R = days;
    settings.candidate = answer;
    settings.accept = 10 * answer;
    settings.startup = 2 * answer;
    settings.startup_range = 10 * answer;
    settings.no_master = 2 * answer;
    settings.consistency = answer;
    settings.conflict = answer;
    settings.resend = answer / 2;
    settings.ranked = true;
}

// A delay is half an answer at most.
inline void tune(Nemeth::Settings& settings, Duration answer) {
    const Duration days = std::chrono::hours(24) * 2, delay = answer / 2;
    settings.life_timer = 2 * days;
    settings.life_interval = days;
    settings.candidate_timer = 3 * delay;
    settings.election_timer = 7 * delay;
    settings.reorganizing_timer = 3 * delay;
    settings.repair = true;
}

inline void tune(Invitation::Settings& settings, Duration answer) {
    settings.timeout = answer;
    settings.period = 10 * answer;
    settings.presence = 45 * answer;
}

inline void tune(Multicast::Settings& settings, Duration answer) { settings.timeout = answer; }

// Those that agents can run. The build makes a host of each that this file includes.
using DeployedAlgorithms = Types<Bully, Invitation, Multicast, Nemeth, Tempo>;

}  // namespace conclave
