// What can no longer do anything at a member, so that exhaustive search forgets it: times that are
// long past, and messages.
//
// Ballots and amnesiac lives are never the same twice; what only a restart or the loss of a disk
// could make heard again is asked `for_good`.
#pragma once

#include <variant>

#include "conclave/lease/changing.hpp"
#include "conclave/lease/lease_messages.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::lease {

// Where one of these is left out, nothing is stale.
inline constexpr std::uint64_t stale_rules =
    bit(Rule::used_on_disk) | bit(Rule::nonce_in_ballots) | bit(Rule::release_of_own_ballot_only) |
    bit(Rule::memory_never_behind_disk) | bit(Rule::folder_synchronised) |
    bit(Rule::silent_until_stored) | bit(RosterRule::older_roster_refused);

template <class Lease>
void age_times(Lease& member, Duration by) {
    auto& voter = member.voter;
    for (Time* time :
         {&voter.until, &voter.quarantine, &member.ends, &member.rest, &member.lost.quiet})
        move_back(*time, by);
    member.candidacy.age(by);
}

// A newer roster is never stale, and an older one is told of the newer, which the owner of the ask
// knows if it wrote it.
template <class Lease>
bool is_stale(const Lease& member, const Ask& ask) {
    const auto& voter = member.voter;
    const Roster& roster = member.disk.roster;
    if (ask.ballot != voter.highest || less(voter.highest, voter.closed)) return false;
    if (is_newer(roster, ask.roster)) return roster.stamp.ballot == ask.ballot;
    if (is_newer(ask.roster, roster)) return false;
    return ask.k <= voter.last || voter.closed == ask.ballot;
}

template <class Lease, class Message>
bool is_stale(const Lease& member, const Message& message, Id from, bool for_good) {
    const auto& candidacy = member.candidacy;
    const auto& voter = member.voter;
    if (for_good && member.behind()) return false;  // the disk may know less than memory does
    if (for_good && candidacy.ballot.stands() && !candidacy.acted) return false;  // R15
    if (const auto* promise = std::get_if<Promise>(&message))
        return promise->ballot != candidacy.ballot ||
               !candidacy.awaits({from, promise->key}, promise->k);
    if (const auto* refusal = std::get_if<Refusal>(&message))
        return refusal->ballot != candidacy.ballot ||
               (refusal->roster.known() && !is_newer(refusal->roster, member.disk.roster) &&
                !less(candidacy.ballot, refusal->known) && !is_overtaken(member));
    if (const auto* entry = std::get_if<Entry>(&message))
        return voter.amnesiac ? entry->nonce != member.lost.nonce : for_good || member.disk.formed;
    if (const auto* ask = std::get_if<Ask>(&message)) return for_good && is_stale(member, *ask);
    if (const auto* release = std::get_if<Release>(&message))
        return for_good && less(release->ballot, voter.highest) && release->successor == nobody &&
               !(candidacy.ballot.stands() && less(candidacy.ballot, release->ballot));
    return false;
}

}  // namespace conclave::lease
