// After the permanent loss of a majority: an operator's word stands for the members that are gone.
//
// Nothing of this is covered by the rules M1 to M10, nor by what was explored. A roster is written
// without any majority, so two leaders are possible if a member that was called lost is not, and
// what only lost members knew is forgotten. What can be kept is kept: the stamp is greater than all
// that this member knows of, promises that it gave are waited for, and tokens grow as R1 and R11
// have it.
#pragma once

#include <algorithm>

#include "conclave/lease/lease_messages.hpp"
#include "conclave/lease/majorities.hpp"

namespace conclave::lease {

// Of these, with the disks that they are known by, members before a pending change included.
inline Seats seats_kept(const Roster& roster, const std::vector<Id>& kept) {
    Seats seats;
    for (const Id id : kept) {
        const std::uint32_t key = key_of(roster.members, id);
        seats.push_back({id, key != 0 ? key : key_of(roster.before, id)});
    }
    std::sort(seats.begin(), seats.end(),
              [](const Seat& a, const Seat& b) { return a.member < b.member; });
    return seats;
}

template <class Lease, class Turn>
void force_roster(Lease& member, const Force& word, Turn& turn) {
    Roster roster = member.disk.roster;
    const bool possible = has_rosters(turn) && roster.known() && !member.voter.amnesiac &&
                          !member.acting && !member.behind();
    const auto listed = [&](Id id) { return roster.lists(id); };
    const auto& kept_ids = word.kept;
    const bool mine = std::find(kept_ids.begin(), kept_ids.end(), turn.me) != kept_ids.end();
    if (!possible || !mine || !std::all_of(kept_ids.begin(), kept_ids.end(), listed)) return;
    if (member.candidacy.ballot.stands()) member.withdraw(turn);  // its asks carry the former one
    const Ballot& known = greater_of(greater_of(member.heard, roster.stamp.ballot),
                                     greater_of(member.disk.used, member.voter.highest));
    if (member.candidacy.nonce == 0) member.candidacy.nonce = draw_nonce(turn);
    roster.stamp.ballot = {std::max(known.round + 1, turn.settings.round_floor), turn.me,
                           member.candidacy.nonce};
    roster.stamp.n += roster.pending() ? 1 : 2;
    roster.members = roster.before = seats_kept(roster, word.kept);
    std::erase_if(roster.titles,
                  [&](const Title& each) { return !is_seated(roster.members, each.member); });
    member.disk.roster = std::move(roster);
    member.keep(turn);
}

}  // namespace conclave::lease
