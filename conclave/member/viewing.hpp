// How the view of a member is made. Apart from view.hpp, so that who only reads a view compiles
// without the member.
#pragma once

#include <vector>

#include "conclave/member/member.hpp"
#include "conclave/member/view.hpp"

namespace conclave::member {

template <class A>
View view_of(const Member<A>& member, Id me, std::uint32_t members) {
    const auto& lease = member.lease;
    std::vector<Id> others;
    for (std::uint32_t i = 1;
         lease.voter.amnesiac && i <= std::max(members, lease.disk.roster.last); ++i)
        if (Id{i} != me && member.counts(Id{i})) others.push_back(Id{i});
    const bool unsure = lease.lost.finding(others) == lease::Register::Finding::undecidable;
    const bool counted = static_cast<std::uint32_t>(me) <= member.introduced.members.size();
    return {.leader = member.leader,
            .followed = member.agenda.followed,
            .settled = member.settled(me),
            .successor = member.successor(me),
            .ballot = lease.candidacy.ballot,
            .acting = lease.acting,
            .leaving = lease.leaving,
            .again = member.agenda.again,
            .ends = lease.ends,
            .promised = lease.voter.highest,
            .promised_until = lease.voter.until,
            .held = member.held,
            .amnesiac = lease.voter.amnesiac,
            .unsure = lease.voter.amnesiac && unsure,
            .healthy = !counted || member.introduced.at(me).said.healthy,
            .label = lease.label()};
}

template <class A>
Sight sight_of(const Member<A>& member, Id id) {
    if (static_cast<std::uint32_t>(id) > member.detector.members.size()) return {};
    return {member.detector.suspects(id), member.detector.watches(id),
            member.introduced.at(id).said};
}

// Of a leader: is the roster, and a change that it completes, on the disks that decide (M4)? A
// roster that has not changed is on all of them.
template <class A>
bool is_roster_done(const Member<A>& member) {
    const lease::Roster& roster = member.lease.disk.roster;
    if (!roster.known() || !roster.changed()) return true;
    return member.lease.acting && lease::is_told_to_majorities(member.lease);
}

// Who promised to this member, while it stands, and is still bound.
template <class A>
std::vector<Id> promises_to(const Member<A>& member, Duration promise, Time now) {
    std::vector<Id> bound;
    if (!member.lease.candidacy.ballot.stands()) return bound;
    for (const lease::Answered& answer : member.lease.candidacy.answers)
        if (answer.sent + promise > now) bound.push_back(answer.member);
    return bound;
}

}  // namespace conclave::member
