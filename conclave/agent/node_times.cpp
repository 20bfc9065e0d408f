// The times of a node: as it was started, until its group has others.
#include <algorithm>

#include "conclave/agent/node.hpp"
#include "conclave/agent/pace/jitter.hpp"
#include "conclave/lease/candidacy.hpp"

namespace conclave::agent {

HostSettings host_settings(const Config& config, const lease::Seal& seal) {
    return {
        .algorithm = config.algorithm,
        .promise = config.detect,
        .lease = lease::lease_time(config.detect, Config::clock_error_ppm, {}),
        .heartbeat = config.heartbeat,
        .rho_ppm = Config::clock_error_ppm,
        .answer = config.answer(),
        .repeat = config.repeat(),
        .enough = config.grace.span + config.on_stopped.limit,
        // The longest margin, and what is cleaned up before.
        .close = std::max(config.grace.span, config.command_detect() / 4) + config.on_stopped.limit,
        .priority = config.priority,
        .witness = config.witness,
        .observer = config.observer,
        .preempt = config.preempt,
        .quorum = config.no_quorum ? 1u : 0u,
        .seal = seal};
}

// Those of the roster, whatever this node was started with. Until a change is completed some
// members have the former ones: a leader is missed by the longer ones, renews by the shorter ones,
// and leaves its command the margins of the shorter ones.
void Node::take_times(const lease::Roster& roster) {
    if (!roster.known() || roster.promise == Duration{0}) return;
    const Config& now = site_.config;
    const bool mixed = site_.host && roster.pending();
    const member::Times times{mixed ? std::max(now.detect, roster.promise) : roster.promise,
                              mixed ? std::min(now.heartbeat, roster.heartbeat) : roster.heartbeat};
    const Duration least = std::min(now.command_detect(), roster.promise);
    const Duration shortest = mixed && least != times.detect ? least : Duration{0};
    if (times.detect == now.detect && times.heartbeat == now.heartbeat &&
        shortest == now.grace.detect)
        return;
    site_.config = with_times(site_.given, times, shortest);
    lateness_.set_detect(times.detect);
    runner_.set_times();
    if (site_.host) site_.host->set_times(host_settings(site_.config, site_.seal));
    if (!site_.host) tell_given_times();
    if (!mixed) tell_shortened();
}

void Node::tell_given_times() const {
    const Config &given = site_.given, &now = site_.config;
    site_.log().notice("the group has " + text_of_times(now.detect, now.heartbeat) +
                       ", which count here, too; this node was started with " +
                       text_of_times(given.detect, given.heartbeat));
}

void Node::tell_shortened() const {
    const Config &given = site_.given, &now = site_.config;
    const auto compare = [&](const char* what, Duration asked, Duration fits) {
        if (asked > fits)
            site_.log().warn(std::string(what) + " " + format_duration(asked) +
                             " is too long for --detect " + format_duration(now.detect) +
                             ": uses " + format_duration(rounded(fits)));
    };
    compare("--grace", given.grace.asked, now.grace.span);
    compare("--on-stopped-timeout", given.on_stopped.asked, now.on_stopped.limit);
}

}  // namespace conclave::agent
