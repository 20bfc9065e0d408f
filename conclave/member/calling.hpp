// When a member calls an election, and when it stands: the best first, each lesser one later.
#pragma once

#include <algorithm>
#include <utility>

#include "conclave/core/turn.hpp"
#include "conclave/member/agenda.hpp"
#include "conclave/member/member_messages.hpp"

namespace conclave::member {

template <class Timer, class Turn>
void set_timer(Timer timer, Time& slot, Time at, Turn& turn) {
    slot = at;
    turn.set(timer, std::max(at - turn.now, Duration{0}));
}
template <class Timer, class Turn>
void set_earlier(Timer timer, Time& slot, Time at, Turn& turn) {
    if (at < slot) set_timer(timer, slot, at, turn);
}

// As long as the better ones take that are alive: an election that one calls is the quickest.
template <class Member, class Turn>
Duration queue_time(const Member& member, const Turn& turn) {
    std::uint32_t better = 0;
    if (!lease::kept(turn, lease::RepairedRule::better_stand_first)) return Duration{0};
    const Rank mine = member.rank_of(turn.me, turn);
    for (std::uint32_t i = 1; i <= member.detector.members.size(); ++i)
        better += Id{i} != turn.me && member.counts(Id{i}) && !member.detector.suspects(Id{i}) &&
                  member.rank_of(Id{i}, turn) > mine;
    return turn.settings.queue_time(better);
}

template <class Member, class Turn>
void call_after(Member& member, Duration span, Turn& turn) {
    const Time at = turn.now + span + queue_time(member, turn);
    set_timer(typename Member::Elect{}, member.agenda.elect, at, turn);
}

// There is one fewer to wait for.
template <class Member, class Turn>
void move_up(Member& member, Turn& turn) {
    Agenda& agenda = member.agenda;
    const Duration queue = queue_time(member, turn);
    const Time from = std::max(turn.now, agenda.successor);
    set_earlier(typename Member::Elect{}, agenda.elect, from + queue, turn);
    if (agenda.stand != never)
        set_earlier(typename Member::Stand{}, agenda.stand, turn.now + queue, turn);
}

// And again after a heartbeat or two, unless somebody leads by then.
template <class Member, class Turn>
void call_election(Member& member, Turn& turn) {
    if (member.settled(turn.me)) return;
    for (const Id id : std::exchange(member.mourned, {})) member.tell(Suspect{id}, turn);
    if (member.eligible(turn)) member.tell(Call{}, turn);
    const Duration beat = turn.settings.lease.heartbeat;
    const auto shares = static_cast<std::int64_t>(turn.settings.shares);
    const auto some = static_cast<std::int64_t>(turn.choose(turn.settings.shares));
    call_after(member, beat + beat / shares * some, turn);
}

// Whom the last leader named stands at once. The others keep still for a heartbeat, and say
// nothing meanwhile: what they would say is out of date when it arrives.
template <class Member, class Turn>
void follow_release(Member& member, const lease::Release& release, bool led, Turn& turn) {
    if (led && member.leader == nobody) {
        const bool alive =
            release.successor != nobody && !member.detector.suspects(release.successor);
        const bool comes = release.successor == turn.me || alive;
        const bool first = lease::kept(turn, lease::RepairedRule::successor_goes_first);
        const Duration wait = comes && first ? turn.settings.lease.heartbeat : Duration{0};
        member.agenda.successor = turn.now + wait;
        if (comes) set_timer(typename Member::Beat{}, member.agenda.beat, turn.now + wait, turn);
        call_after(member, wait, turn);
    }
    if (release.successor == turn.me) call_election(member, turn);
}

}  // namespace conclave::member
