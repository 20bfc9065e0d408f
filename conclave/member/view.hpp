// How a member stands, after its last turn: what status, why, doctor and metrics read.
#pragma once

#include <string>

#include "conclave/member/member_messages.hpp"

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
    lease::Ballot held{};   // by another, as it said last
    bool amnesiac = false;  // its disk was lost: it promises nothing yet
    bool unsure = false;    // nor will it without an operator's word
    bool healthy = true;    // as it tells the others
    std::string label{};    // as diagrams show it
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

}  // namespace conclave::member
