// R10: a member that lost its state promises nothing until all that it promised is over, and then
// asks every other member what it promised. M9: the members of the newest roster that it hears of,
// and those before a pending change.
#pragma once

#include <utility>
#include <vector>

#include "conclave/lease/changing.hpp"
#include "conclave/lease/lease_messages.hpp"
#include "conclave/lease/register.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::lease {

// Whom it must hear; as long as it has heard of no roster, those that an operator told it.
template <class Lease, class Turn>
std::vector<Id> others_to_ask(const Lease& member, const Turn& turn) {
    IdSet all;
    if (!has_rosters(turn)) {
        all.ids.assign(turn.group.ring.begin(), turn.group.ring.end());
    } else {
        const bool heard =
            member.disk.roster.known() && kept(turn, RosterRule::census_of_newest_roster);
        const Roster newest = heard ? member.disk.roster : first_roster(turn);
        for (const Seat& seat : newest.members) all.insert(seat.member);
        if (kept(turn, RosterRule::census_of_former_members))
            for (const Seat& seat : newest.before) all.insert(seat.member);
    }
    std::erase(all.ids, turn.me);
    return all.ids;
}

// A member that could have decided alone has nobody to tell it what it decided: that takes an
// operator's word.
template <class Lease, class Turn>
Register::Finding census_finding(const Lease& member, const Turn& turn) {
    const Roster& newest = member.disk.roster;
    const bool alone = newest.members.size() == 1 && is_seated(newest.members, turn.me);
    const auto found = member.lost.finding(others_to_ask(member, turn));
    return alone && found == Register::Finding::complete ? Register::Finding::undecidable : found;
}

// How long what it promised may last, as far as it knows.
template <class Turn>
Duration silence_of(const Roster& roster, const Turn& turn) {
    if (!kept(turn, RosterRule::silence_before_census)) return Duration{0};
    if (!roster.known()) return turn.settings.promise;
    return kept(turn, RosterRule::silence_of_longest_promise) ? roster.longest : roster.promise;
}

template <class Lease, class Turn>
void lose_memory(Lease& member, Turn& turn) {
    member.voter.amnesiac = kept(turn, Rule::amnesiac_member_promises_nothing);
    member.lost = {};
    if (member.disk.life == 0) {
        member.disk.life = draw_nonce(turn);
        member.keep(turn);
    }
    member.lost.nonce = member.disk.life;
    member.lost.wait_for(silence_of(member.disk.roster, turn), turn.now);
    turn.set(typename Lease::Enquire{}, member.lost.silence);
}

template <class Lease, class Turn>
void enquire(Lease& member, Turn& turn) {
    if (!member.voter.amnesiac) return;
    member.lost.wait_for(silence_of(member.disk.roster, turn), turn.now);
    if (has_rosters(turn) && turn.now < member.lost.quiet)
        return turn.set(typename Lease::Enquire{}, member.lost.quiet - turn.now);
    if (census_finding(member, turn) == Register::Finding::undecidable)
        turn.report("two members lost their memory beside one that did not");
    member.catch_up(turn);
    turn.broadcast(Census{member.lost.nonce});
    const std::uint32_t most = turn.settings.asks_max;
    if (most == 0 || ++member.lost.asked < most)
        turn.set(typename Lease::Enquire{}, turn.settings.heartbeat);
}

template <class Lease, class Turn>
void answer_census(Lease& member, const Census& census, Turn& turn) {
    member.catch_up(turn);
    turn.reply(Entry{census.nonce, member.voter.highest, member.voter.amnesiac,
                     member.lost.founded_with({turn.from, census.nonce}), member.lost.nonce,
                     member.disk.roster});
}

template <class Lease, class Turn>
void remember(Lease& member, Turn& turn) {
    if (!member.voter.amnesiac) return;
    auto& disk = member.disk;
    member.voter.highest = greater_of(member.voter.highest, member.lost.close());
    member.voter.amnesiac = false;
    member.hear(member.voter.highest);
    disk.highest = member.voter.highest;
    disk.formed = true;
    disk.life = 0;
    disk.founders = member.lost.founders;
    for (const Seats* seats : {&disk.roster.before, &disk.roster.members})  // M8: it is this one
        for (const Seat& seat : *seats)
            if (seat.member == turn.me) disk.key = seat.key;
    member.keep(turn);
    turn.stop(typename Lease::Enquire{});
    member.tell(Start{}, turn);
    if (std::exchange(member.lost.called, false)) member.tell(Call{}, turn);
    member.consider(turn);
}

// A newer roster may have others to ask, and a longer promise to wait for.
template <class Lease, class Turn>
void enter(Lease& member, const Entry& entry, Turn& turn) {
    Register& lost = member.lost;
    if (!member.voter.amnesiac || entry.nonce != lost.nonce) return;
    const bool newer = has_rosters(turn) && is_newer(entry.roster, member.disk.roster);
    const Duration waited = lost.silence;
    learn_roster(member, entry.roster, turn);
    lost.wait_for(silence_of(member.disk.roster, turn), turn.now);
    const std::uint32_t most = turn.settings.asks_max;
    if ((newer && (most == 0 || lost.asked < most)) || waited != lost.silence)
        turn.set(typename Lease::Enquire{}, std::max(lost.quiet - turn.now, Duration{0}));
    if (has_rosters(turn) && turn.now < lost.quiet) return;
    lost.enter({turn.from, entry.highest, entry.amnesiac, entry.founder, entry.my_nonce});
    if (census_finding(member, turn) == Register::Finding::complete) remember(member, turn);
}

}  // namespace conclave::lease
