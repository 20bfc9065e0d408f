// The election's own timers, from what a deployed node knows: how soon a live member answers.
//
// The renewals of the lease are the heartbeat, and the agent's failure detector reads them. So
// TEMPO's periodical adjustment, which is a heartbeat too, is put off for days: what it would
// notice the detector has noticed long before, and calls an election.
#pragma once

#include "conclave/agent/host.hpp"
#include "conclave/election/bully.hpp"
#include "conclave/election/tempo.hpp"

namespace conclave::agent {

inline void tune(Bully::Settings& settings, const HostSettings& given) {
    settings.timeout = given.answer;
    settings.patience = 3 * given.answer;
    settings.grace = 2 * given.answer;
}

inline void tune(TempoSettings& settings, const HostSettings& given) {
    const Duration days = std::chrono::hours(24) * 2;
    settings.sync = days;
    settings.r = 2 * days;
    settings.R = days;
    settings.candidate = given.answer;
    settings.accept = 10 * given.answer;
    settings.startup = 2 * given.answer;
    settings.startup_range = 10 * given.answer;
    settings.no_master = 2 * given.answer;
    settings.consistency = given.answer;
    settings.conflict = given.answer;
    settings.resend = given.answer / 2;
    settings.ranked = true;
}

}  // namespace conclave::agent
