// Whom a member believes to lead: by its lease, by its own detector, by the others' word.
#pragma once

#include <utility>

#include "conclave/lease/rules.hpp"
#include "conclave/member/calling.hpp"
#include "conclave/member/member_messages.hpp"
#include "conclave/member/standing.hpp"

namespace conclave::member {

template <class Member, class Turn>
void watch_members(Member& member, Turn& turn);

// The one writer of the leader, and all that follows from a new one.
template <class Member, class Turn>
void believe(Member& member, Id whom, Cause why, Turn& turn) {
    if (whom == member.leader) return;
    Agenda& agenda = member.agenda;
    const bool led = member.leader == turn.me;
    if (member.cause == Cause::unknown) member.cause = why;
    member.news.changes.push_back(
        {member.leader, whom, std::exchange(member.cause, Cause::unknown)});
    member.hearsay = false;
    member.leader = whom;
    turn.follow(whom);
    if (whom != nobody) {
        member.standing.follow();
        agenda.followed = turn.now;
    }
    if (led) {
        if (lease::kept(turn, lease::RepairedRule::deposed_asks_others)) member.standing.lose();
        const bool backs_off = lease::kept(turn, lease::RepairedRule::deposed_backs_off);
        agenda.backs_off_until =
            turn.now + (backs_off ? turn.settings.lease.heartbeat : Duration{0});
    }
    if (whom == nobody || turn.settings.observer) member.standing.forget();
    watch_members(member, turn);
    if (whom != nobody) return;
    call_after(member, turn.settings.lease.promise, turn);
    // All tell each other at once that they follow nobody, but for one that has just led.
    set_timer(typename Member::Beat{}, agenda.beat, led ? agenda.backs_off_until : turn.now, turn);
}

// Without a quorum two parts that meet again have a leader each: the lesser token goes, so that
// tokens grow for whoever follows the other.
template <class Member, class Turn>
void note_held(Member& member, const lease::Ask& ask, Turn& turn) {
    if (!ask.held) return;
    member.held = ask.ballot;
    const auto& lease = member.lease;
    const bool lesser = lease::less(lease.candidacy.ballot, ask.ballot);
    if (!turn.settings.no_quorum() || !lease.acting || lease.leaving || !lesser) return;
    member.cause = Cause::parts_met;
    member.tell(lease::Resign{turn.from}, turn);
}

// Somebody believes that this member leads: its last lease is released once more.
template <class Member, class Turn>
void disown(const Member& member, Turn& turn) {
    const auto& lease = member.lease;
    if (!lease::kept(turn, lease::RepairedRule::forgotten_lease_disowned)) return;
    const bool over = !lease.acting && !lease.candidacy.ballot.stands() && !lease.former;
    if (over && lease.disk.used.stands()) turn.reply(lease::Release{lease.disk.used, nobody});
}

// Their word counts where renewals do not reach an observer.
template <class Member, class Turn>
void observe(Member& member, const Present& present, Turn& turn) {
    member.standing.hear(turn.from, present.follows);
    const Id agreed = member.standing.agreed();
    if (agreed != nobody || member.standing.leaderless())
        believe(member, agreed, Cause::unknown, turn);
}

// While this member follows nobody: whom do the others follow?
template <class Member, class Turn>
void weigh(Member& member, const Present& present, Turn& turn) {
    Standing& standing = member.standing;
    const bool before = standing.allowed;
    standing.hear(turn.from, present.follows);
    // Of those that stand at the same moment only one is promised: the better ones stand first.
    if (!before && standing.allowed)
        set_timer(typename Member::Stand{}, member.agenda.stand,
                  turn.now + queue_time(member, turn), turn);
    const Id agreed = standing.agreed();
    if (agreed == nobody || agreed == turn.me || member.lease.acting) return;
    if (!lease::kept(turn, lease::RepairedRule::rival_falls_in)) return;
    // It left since it said so, and nobody would notice its silence a second time: a member that
    // followed it now would do so for ever.
    if (member.detector.suspects(agreed) && lease::kept(turn, lease::Rule::departed_not_followed))
        return;
    // A majority follows this leader: who stands beside it stands in vain.
    if (member.lease.candidacy.ballot.stands()) member.tell(lease::Resign{nobody}, turn);
    believe(member, agreed, Cause::unknown, turn);
    member.hearsay = true;
}

// What another says of the leader.
template <class Member, class Turn>
void compare_beliefs(Member& member, const Present& present, Turn& turn) {
    const Id leader = member.leader;
    if (present.follows == turn.me && leader != turn.me) disown(member, turn);
    // Of a leader that is new nobody need have heard yet: it tells that itself.
    const bool new_leader = turn.now - member.agenda.followed <= turn.settings.lease.heartbeat;
    if (leader == nobody || new_leader) return;
    // A leader that forgot that it led cannot release what it held; the others miss one.
    const bool forgot = turn.from == leader && present.follows != leader;
    if (forgot && lease::kept(turn, lease::RepairedRule::forgotten_lease_disowned))
        believe(member, nobody, Cause::released, turn);
    else if (present.follows == nobody)
        turn.reply(member.presence(turn));
}

}  // namespace conclave::member
