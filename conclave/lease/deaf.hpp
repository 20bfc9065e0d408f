// What can no longer do anything at a member, so that exhaustive search forgets it: times that are
// long past, and messages.
//
// Ballots and blank lives are never the same twice; what only a restart or the loss of a disk could
// make heard again is asked `for_good`.
#pragma once

#include <variant>

#include "conclave/lease/messages.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::lease {

// Where one of these is left out, nobody is deaf.
inline constexpr std::uint64_t deaf_rules =
    bit(Rule::used_on_disk) | bit(Rule::nonce_in_ballots) | bit(Rule::release_of_own_ballot_only) |
    bit(Rule::memory_never_behind_disk) | bit(Rule::folder_synchronised) |
    bit(Rule::silent_until_stored);

template <class Lease>
void age_times(Lease& member, Duration by, Duration lease) {
    auto& voter = member.voter;
    for (Time* time : {&voter.until, &voter.quarantine, &member.ends, &member.rest})
        move_back(*time, by);
    member.candidacy.age(by, lease);
}

template <class Lease, class Message>
bool is_deaf(const Lease& member, const Message& message, Id from, bool for_good) {
    const auto& candidacy = member.candidacy;
    const auto& voter = member.voter;
    if (for_good && member.behind()) return false;  // the disk may know less than memory does
    if (for_good && candidacy.ballot.stands() && !candidacy.acted) return false;  // R15
    if (const auto* promise = std::get_if<Promise>(&message))
        return promise->ballot != candidacy.ballot || !candidacy.awaits(from, promise->k);
    if (const auto* refusal = std::get_if<Refusal>(&message))
        return refusal->ballot != candidacy.ballot;
    if (const auto* entry = std::get_if<Entry>(&message))
        return voter.blank ? entry->nonce != member.lost.nonce : for_good || member.disk.formed;
    if (const auto* ask = std::get_if<Ask>(&message))
        return for_good && ask->ballot == voter.highest && !less(voter.highest, voter.closed) &&
               (ask->k <= voter.last || voter.closed == ask->ballot);
    if (const auto* release = std::get_if<Release>(&message))
        return for_good && less(release->ballot, voter.highest) && release->heir == nobody &&
               !(candidacy.ballot.stands() && less(candidacy.ballot, release->ballot));
    return false;
}

}  // namespace conclave::lease
