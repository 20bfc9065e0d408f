// An ask that is not answered is repeated before the next heartbeat, so that lost messages cost no
// lease: to all members while no majority has answered, else to those that answered until now, lest
// they miss their leader. A repeated ask is a new one: whoever answers it, answers from when *it*
// left.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/lease/candidacy.hpp"
#include "conclave/lease/lease_messages.hpp"
#include "conclave/lease/majorities.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::lease {

template <class Turn>
Duration time_to_heartbeat(const Candidacy& candidacy, const Turn& turn) {
    return std::max(candidacy.begun() + turn.settings.heartbeat - turn.now, Duration{0});
}

template <class Turn>
bool may_repeat(const Candidacy& candidacy, const Turn& turn) {
    const std::uint32_t most = turn.settings.asks_max;
    return turn.settings.repeat != Duration{0} && candidacy.repeats < Candidacy::repeats_most &&
           (most == 0 || candidacy.k < most) && time_to_heartbeat(candidacy, turn) > Duration{0};
}

// Whoever answered within the lease is probably alive. One that is not costs nothing after that.
template <class Turn>
std::vector<Id> missing_answers(const Candidacy& candidacy, const Turn& turn) {
    return candidacy.missing(turn.now - turn.settings.lease);
}

// The pause before each repetition is twice the last one.
template <class Lease, class Turn>
Ask next_ask(Lease& member, bool again, Turn& turn) {
    Candidacy& candidacy = member.candidacy;
    candidacy.ask(turn.now, again, lease_time_of(member.disk.roster, turn));
    if (member.acting) member.measure(turn);
    const Duration pause = turn.settings.repeat * (1u << candidacy.repeats);
    const Duration left = time_to_heartbeat(candidacy, turn);
    const Duration next = may_repeat(candidacy, turn) ? std::min(pause, left) : left;
    if (turn.settings.renewals) turn.set(typename Lease::Renew{}, next);
    if (!member.acting) member.catch_up(turn);  // whoever acts has its ballot on disk
    const bool held =
        member.holds(turn.now) || !kept(turn, RepairedRule::expired_lease_not_claimed);
    return {candidacy.ballot, candidacy.k, member.acting && held, turn.settings.seal,
            member.disk.roster};
}

// False: it is time for the heartbeat. A candidate that is beaten repeats nothing, lest two of them
// outbid each other.
template <class Lease, class Turn>
bool before_heartbeat(Lease& member, Turn& turn) {
    const Candidacy& candidacy = member.candidacy;
    if (!may_repeat(candidacy, turn)) return false;
    const bool beaten = less(candidacy.ballot, greater_of(member.heard, member.voter.highest)) &&
                        !member.acting && kept(turn, RepairedRule::beaten_repeats_nothing);
    const bool answered = is_answered(candidacy, member.disk.roster, turn);
    if (!answered && !beaten) return member.renew(turn, true), true;
    const std::vector<Id> missing = missing_answers(candidacy, turn);
    if (beaten || missing.empty()) {
        turn.set(typename Lease::Renew{}, time_to_heartbeat(candidacy, turn));
        return true;
    }
    const Ask ask = next_ask(member, true, turn);
    for (const Id each : missing) turn.send(each, ask);
    return true;
}

// After an answer: everybody who should has given one.
template <class Lease, class Turn>
void stop_repeating(const Lease& member, Turn& turn) {
    const Candidacy& candidacy = member.candidacy;
    if (!may_repeat(candidacy, turn) || !is_answered(candidacy, member.disk.roster, turn)) return;
    if (missing_answers(candidacy, turn).empty())
        turn.set(typename Lease::Renew{}, time_to_heartbeat(candidacy, turn));
}

}  // namespace conclave::lease
