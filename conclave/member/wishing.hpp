// What a leader makes of an operator's wish for other members.
#pragma once

#include "conclave/member/wish.hpp"

namespace conclave::member {

// What it waits for, while `me` leads.
template <class Member>
Outlook outlook_of(const Member& member, const Wish& wish, Id me, Time now) {
    const auto silent = [&](Id id) {
        return id != me && member.counts(id) && member.detector.suspects(id);
    };
    const auto& lease = member.lease;
    const bool settled = progress_of(wish, lease.disk.roster) == Progress::done;
    if (settled && lease::is_told_to_majorities(lease)) return {Awaited::done};
    return outlook_of(wish, lease.disk.roster, lease.candidacy, me, now, silent);
}

// A leader that is to go hands over first, and whoever leads then removes it.
template <class Member, class Turn>
void pursue(Member& member, const Wish& wish, Turn& turn) {
    const auto& lease = member.lease;
    const lease::Roster& roster = lease.disk.roster;
    if (!lease.acting || lease.leaving || progress_of(wish, roster) != Progress::open) return;
    if (obstacle_of(wish, roster) != Obstacle::none) return;
    const Awaited awaited = outlook_of(member, wish, turn.me, turn.now).awaited;
    const Id next = member.successor(turn.me);
    if (awaited == Awaited::hand_over && next != nobody) member.on(lease::Resign{next}, turn);
    if (awaited == Awaited::nothing)
        member.pass(*alter_of(wish, roster, lease.candidacy, turn.settings.rho_ppm), turn);
}

}  // namespace conclave::member
