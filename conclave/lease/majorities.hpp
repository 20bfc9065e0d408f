// M2: what is decided needs a majority of the members and one of those before the pending change.
// Where the roster never changes, they are the same: the whole group.
#pragma once

#include <algorithm>

#include "conclave/lease/candidacy.hpp"
#include "conclave/lease/roster.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::lease {

template <class Turn>
bool has_rosters(const Turn& turn) {
    return turn.settings.first.founders != 0;
}

// Where rosters change, a majority of these. An unknown roster elects nobody.
template <class Turn>
Electorate electorate_of(const Seats& seats, const Turn& turn) {
    if (!has_rosters(turn)) {
        const std::size_t majority = turn.group.size() / 2 + 1;
        return {nullptr, turn.settings.quorum != 0 ? turn.settings.quorum : majority};
    }
    const bool members_alone = kept(turn, RosterRule::members_alone_count);
    return {members_alone ? &seats : nullptr, seats.empty() ? 0 : seats.size() / 2 + 1,
            kept(turn, RosterRule::identity_of_the_disk)};
}

// What both majorities have: the lesser of what `measure` says of each.
template <class Turn, class Measure>
Time least_of_both(const Roster& roster, const Turn& turn, const Measure& measure) {
    Electorate members = electorate_of(roster.members, turn);
    if (!has_rosters(turn)) return measure(members);
    if (!kept(turn, RosterRule::newcomers_count_by_answer))
        members.unheard = static_cast<std::size_t>(
            std::count_if(roster.members.begin(), roster.members.end(),
                          [&](const Seat& seat) { return !is_seated(roster.before, seat); }));
    const Time after = kept(turn, RosterRule::majority_of_members) ? measure(members) : never;
    const Time before = kept(turn, RosterRule::majority_of_former_members)
                            ? measure(electorate_of(roster.before, turn))
                            : never;
    return std::min(after, before);
}

// When the lease ends, which the answers to a candidacy support.
template <class Turn>
Time lease_end(const Candidacy& candidacy, const Roster& roster, const Turn& turn) {
    const bool answered_only = kept(turn, Rule::lease_from_answered_asks);
    return least_of_both(roster, turn, [&](const Electorate& voters) {
        return candidacy.end(voters, answered_only);
    });
}

// Has a majority answered the last heartbeat's ask, or a repeat of it?
template <class Turn>
bool is_answered(const Candidacy& candidacy, const Roster& roster, const Turn& turn) {
    return least_of_both(roster, turn, [&](const Electorate& voters) {
               return candidacy.quorum_th(voters, [](const Answered& each) { return each.sent; });
           }) >= candidacy.begun();
}

// M10: L and D of asks that carry this roster.
template <class Turn>
Duration promise_time(const Roster& roster, const Turn& turn) {
    return has_rosters(turn) ? roster.promise : turn.settings.promise;
}
template <class Turn>
Duration lease_time_of(const Roster& roster, const Turn& turn) {
    if (!kept(turn, Rule::lease_shorter_than_promise)) return promise_time(roster, turn);
    return has_rosters(turn) ? roster.lease : turn.settings.lease;
}

}  // namespace conclave::lease
