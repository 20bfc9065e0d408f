// Who is alive, as far as this member can tell, and what it does about it.
#pragma once

#include "conclave/member/belief.hpp"
#include "conclave/member/calling.hpp"

namespace conclave::member {

template <class Member, class Turn>
void look_next(const Member& member, Turn& turn) {
    const Time next = member.detector.next(turn.settings.patience());
    if (next == never)
        turn.stop(typename Member::Look{});
    else
        turn.set(typename Member::Look{}, std::max(next - turn.now, Duration{0}));
}

template <class Member, class Turn>
void watch_members(Member& member, Turn& turn) {
    const Id leader = member.leader;
    for (std::uint32_t i = 1; i <= member.detector.members.size(); ++i) {
        const bool should = leader == nobody || leader == turn.me || leader == Id{i};
        if (Id{i} != turn.me && member.counts(Id{i}))
            member.detector.watch(Id{i}, should, turn.now);
    }
    look_next(member, turn);
}

template <class Member, class Turn>
void hear_from(Member& member, Id id, Turn& turn) {
    if (!member.detector.hear(id, turn.now)) return;
    look_next(member, turn);
    if (member.silent.erase(id)) member.news.sightings.push_back({id, true});
    member.mourned.erase(id);
    member.tell(Trust{id}, turn);
}

// An election algorithm that hears that the one it elected is lost begins an election, at every
// member in the same moment: so it hears that when this member's turn has come to call one, and
// not at all while there is a leader.
template <class Member, class Turn>
void lose(Member& member, Id id, Cause how, Turn& turn) {
    member.detector.lose(id);
    member.news.sightings.push_back({id, false, how});
    if (id == member.leader || id == member.lease.elected)
        member.mourned.insert(id);
    else
        member.tell(Suspect{id}, turn);
    if (id == member.leader) {
        believe(member, nobody, how, turn);
        call_after(member, Duration{0}, turn);
    } else if (member.leader == nobody) {
        move_up(member, turn);
    }
}

// A leader that is silent may still lead: without another's word nobody stands in its place.
template <class Member, class Turn>
void look_around(Member& member, Turn& turn) {
    for (const Id id : member.detector.find_silent(turn.now, turn.settings.patience())) {
        if (id == member.leader) member.standing.lose();
        member.silent.insert(id);
        lose(member, id, Cause::silent, turn);
    }
    look_next(member, turn);
}

}  // namespace conclave::member
