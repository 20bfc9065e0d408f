// How a leader changes the roster, and how the others learn of it (M3 to M7).
//
// The holder of a lease writes the new roster with the present members as `before`; when that is
// done, the same without them. A successor that finds a change pending stamps it anew and
// completes it. Whoever hears of a newer roster stores it; whoever hears an older one answers with
// its own.
#pragma once

#include "conclave/lease/lease_messages.hpp"
#include "conclave/lease/majorities.hpp"

namespace conclave::lease {

// The first roster, before anything was said.
template <class Turn>
Roster first_roster(const Turn& turn) {
    const auto& first = turn.settings.first;
    Roster roster;
    for (std::uint32_t i = 1; i <= first.founders; ++i)
        roster.members.push_back({Id{i}, founding_key});
    roster.before = roster.members;
    const bool given = first.first_promise != Duration{0};
    roster.promise = roster.longest = given ? first.first_promise : turn.settings.promise;
    roster.lease = first.first_lease != Duration{0} ? first.first_lease : turn.settings.lease;
    return roster;
}

// A host may know a roster beforehand: as the group was formed, or as another member tells it. Of
// those that formed it, each is known by its place; any other disk is a new one, until R10 says
// which it was.
template <class Lease, class Turn>
void begin_told(Lease& member, const Roster& told, Turn& turn) {
    auto& disk = member.disk;
    if (!disk.roster.changed()) disk.roster = told;
    if (disk.key != 0) return;
    const std::uint32_t key = told.changed() ? 0 : key_of(told.members, turn.me);
    disk.key = key != 0 ? key : draw_nonce(turn);
}

// A member that comes up without a state file and has nothing to remember.
template <class Lease, class Turn>
void begin_newcomer(Lease& member, Turn& turn) {
    if (member.disk.roster.known()) return begin_told(member, Roster{member.disk.roster}, turn);
    const bool founder = turn.incarnation == 1 &&
                         static_cast<std::uint32_t>(turn.me) <= turn.settings.first.founders;
    auto& disk = member.disk;
    disk.key = founder ? founding_key : draw_nonce(turn);
    if (!founder) return;
    disk.roster = first_roster(turn);
    const std::uint32_t left = turn.settings.first.left, me = static_cast<std::uint32_t>(turn.me);
    if (left == 0) return;
    disk.highest = member.voter.highest = {1, Id{me <= left ? me : left}, founding_key};
    if (me > left) return;
    disk.used = {1, turn.me, founding_key};
    disk.roster.stamp = {disk.used, 1};
    disk.roster.members = {{turn.me, founding_key}};
}

// M6: everybody that counts may stand, and whoever is on its way out, lest nobody can.
template <class Lease, class Turn>
bool may_stand(const Lease& member, const Turn& turn) {
    if (!has_rosters(turn)) return true;
    const Roster& roster = member.disk.roster;
    const Seat mine{turn.me, member.disk.key};
    return is_seated(roster.members, mine) ||
           (is_seated(roster.before, mine) && kept(turn, RosterRule::former_members_stand));
}

// ---------------------------------------------------------------- what is heard of

// M3: a newer roster is kept, whatever comes of the message that told of it.
template <class Lease, class Turn>
void learn_roster(Lease& member, const Roster& roster, Turn& turn) {
    if (!has_rosters(turn) || !is_newer(roster, member.disk.roster)) return;
    member.disk.roster = roster;
    if (kept(turn, RosterRule::newer_roster_stored)) member.keep(turn);
    member.hear(roster.stamp.ballot);
    if (!member.candidacy.ballot.stands()) return;
    member.candidacy.stamped = member.candidacy.k + 1;
    member.candidacy.informed.clear();
    member.measure(turn);
}

// A ballot below the stamp of the roster that its owner knows is over.
template <class Lease>
bool is_overtaken(const Lease& member) {
    return less(member.candidacy.ballot, member.disk.roster.stamp.ballot);
}

template <class Lease, class Turn>
bool is_outdated(const Lease& member, const Roster& roster, const Turn& turn) {
    return has_rosters(turn) && is_newer(member.disk.roster, roster) &&
           kept(turn, RosterRule::older_roster_refused);
}

// ---------------------------------------------------------------- what a leader writes

// The asks that follow carry it, and are answered from disks that have it.
template <class Lease, class Turn>
void write_roster(Lease& member, Roster roster, Turn& turn) {
    roster.stamp.ballot = member.candidacy.ballot;
    roster.longest = std::max(roster.longest, roster.promise);
    member.disk.roster = std::move(roster);
    member.candidacy.stamped = member.candidacy.k + 1;
    member.candidacy.informed.clear();
    member.keep(turn);
    member.measure(turn);
    member.renew(turn);
}

// Have both majorities answered asks that carry the roster? The stamp may be a former leader's.
template <class Lease>
bool is_told_to_majorities(const Lease& member) {
    const auto has = [&](const Seats& seats) {
        const auto told = [&](const Seat& seat) {
            return is_seated(member.candidacy.informed, seat);
        };
        const auto count =
            static_cast<std::size_t>(std::count_if(seats.begin(), seats.end(), told));
        return 2 * count > seats.size();
    };
    return has(member.disk.roster.members) && has(member.disk.roster.before);
}

// M4: the leader's own ballot is on the roster, and both majorities have it on disk.
template <class Lease, class Turn>
bool is_done(const Lease& member, const Turn& turn) {
    const Roster& roster = member.disk.roster;
    const Candidacy& candidacy = member.candidacy;
    if (kept(turn, RosterRule::done_by_own_stamp) && roster.stamp.ballot != candidacy.ballot)
        return false;
    const bool stamped = kept(turn, RosterRule::done_by_stamped_asks);
    const auto has = [&](const Seats& seats) {
        const auto told = [&](const Seat& seat) {
            if (stamped) return is_seated(candidacy.informed, seat);
            return std::any_of(candidacy.answers.begin(), candidacy.answers.end(),
                               [&](const Answered& each) {
                                   return each.member == seat.member && each.key == seat.key;
                               });
        };
        const auto count =
            static_cast<std::size_t>(std::count_if(seats.begin(), seats.end(), told));
        return 2 * count > seats.size();
    };
    return has(roster.members) &&
           (has(roster.before) || !kept(turn, RosterRule::done_by_both_majorities));
}

// M5: one change at a time, to its end. Called when the lease is held and somebody has answered.
template <class Lease, class Turn>
void go_on_changing(Lease& member, Turn& turn) {
    if (!has_rosters(turn) || !member.acting || member.leaving) return;
    Roster roster = member.disk.roster;
    const bool foreign = roster.stamp.ballot != member.candidacy.ballot;
    if (roster.pending() && foreign && kept(turn, RosterRule::done_by_own_stamp))
        return write_roster(member, std::move(roster), turn);
    const bool early = roster.pending() && !kept(turn, RosterRule::completed_when_done);
    if (!early && !is_done(member, turn)) return;
    if (roster.pending()) {
        roster.before = roster.members;
        std::erase_if(roster.titles,
                      [&](const Title& each) { return !is_seated(roster.members, each.member); });
        ++roster.stamp.n;
        return write_roster(member, std::move(roster), turn);
    }
    if (!foreign && !is_seated(roster.members, turn.me)) member.leave(turn);  // it has left
}

// M7: newcomers have answered, and with them a majority after the change is already bound.
template <class Lease, class Turn>
bool is_supported(const Lease& member, const Roster& next, const Turn& turn) {
    const auto heard = [&](const Seat& seat) {
        if (is_seated(next.before, seat)) return true;
        const auto& answers = member.candidacy.answers;
        return std::any_of(answers.begin(), answers.end(), [&](const Answered& each) {
            return each.member == seat.member && each.key == seat.key && each.ends > turn.now;
        });
    };
    return std::all_of(next.members.begin(), next.members.end(), heard) &&
           member.candidacy.end(electorate_of(next.members, turn), true) > turn.now;
}

// M5, M7: an operator's wish. Nothing happens where a change is pending or would cost the lease.
template <class Lease, class Turn>
void begin_change(Lease& member, const Alter& wish, Turn& turn) {
    if (!has_rosters(turn) || !member.acting || member.leaving || member.behind()) return;
    if (!member.holds(turn.now) || is_overtaken(member)) return;
    Roster roster = member.disk.roster;
    if (roster.pending() && kept(turn, RosterRule::one_change_at_a_time)) return;
    roster.before = std::exchange(roster.members, wish.members);
    roster.promise = wish.promise;
    roster.lease = wish.lease;
    if (wish.heartbeat != Duration{0}) roster.heartbeat = wish.heartbeat;
    roster.last = std::max(roster.last, wish.last);
    for (const Title& title : wish.titles) add_title(roster.titles, title);
    roster.stamp.n += roster.pending() ? 2 : 1;
    if (kept(turn, RosterRule::newcomers_answer_first) && !is_supported(member, roster, turn))
        return;
    write_roster(member, std::move(roster), turn);
}

}  // namespace conclave::lease
