// How a member stands, after its last turn: what status, why, doctor and metrics read.
#pragma once

#include <string>
#include <vector>

#include "conclave/member/member.hpp"

namespace conclave::member {

// Another member, as this one sees it.
struct Sight {
    bool suspected = true;
    bool watched = false;  // its silence would be noticed
    Attributes said{};
};

struct View {
    Id leader = nobody;      // as this member believes
    Time followed{};         // since then the present leader, or the last one
    bool settled = false;    // there is a leader, and it is heard
    Id successor = nobody;   // who should lead after this member
    lease::Ballot ballot{};  // with which this member stands; nobody's: it does not
    bool acting = false;     // work may be alive under it
    bool leaving = false;    // the work shall stop
    Time again = never;      // the work ended by itself, and may start again then
    Time ends = lease::long_ago;
    lease::Ballot promised{};  // the greatest ballot that this member promised
    Time promised_until = lease::long_ago;
    lease::Ballot held{};  // by another, as it said last
    bool blank = false;    // its disk was lost: it promises nothing yet
    bool unsure = false;   // nor will it without an operator's word
    bool healthy = true;   // as it tells the others
    std::string label{};   // as diagrams show it
};

// The leader's, as far as known: this member may follow one to whom it could not promise, and has
// then to hear it first. 0: it has not, or there is no leader.
inline std::uint64_t leading_token(const View& view, Id me) {
    if (view.leader == nobody) return 0;
    if (view.leader == me) return lease::token_of(view.ballot);
    lease::Ballot ballot;
    for (const lease::Ballot& each : {view.promised, view.held})
        if (each.member == view.leader) ballot = lease::greater_of(ballot, each);
    return lease::token_of(ballot);
}

template <class A>
View view_of(const Member<A>& member, Id me, std::uint32_t members) {
    const auto& lease = member.lease;
    const bool unsure = lease.lost.finding(members - 1) == lease::Register::Finding::undecidable;
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
            .blank = lease.voter.blank,
            .unsure = lease.voter.blank && unsure,
            .healthy = !counted || member.introduced.at(me).said.healthy,
            .label = lease.label()};
}

template <class A>
Sight sight_of(const Member<A>& member, Id id) {
    return {member.detector.suspects(id), member.detector.watches(id),
            member.introduced.at(id).said};
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
