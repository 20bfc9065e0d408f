// Which places of the group are members now: those of the roster that the lease knows, and those
// before a pending change. Where rosters never change, all.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/member/belief.hpp"

namespace conclave::member {

// The group as election and lease see it, for one turn.
struct Seating {
    std::vector<Id> ring{};
    std::vector<std::uint32_t> place{};
    std::vector<Rank> ranks{};
};

// So many places there are, with those that members have left.
template <class Member, class Turn>
std::uint32_t places_of(const Member& member, const Turn& turn) {
    const std::uint32_t size = turn.group.size();
    const bool has_own = turn.settings.observer && static_cast<std::uint32_t>(turn.me) == size;
    return std::max(size - (has_own ? 1 : 0), member.lease.disk.roster.last);
}

// A member that does not count yet, or no longer, sees itself among the others.
template <class Member, class Turn>
Group seat_group(const Member& member, const Turn& turn, Seating& seating) {
    const lease::Roster& roster = member.lease.disk.roster;
    Group group = turn.group;
    const std::uint32_t places = std::max(places_of(member, turn), group.size());
    seating.ranks.resize(places);
    if (roster.known()) {
        IdSet seated;
        for (const lease::Seats* seats : {&roster.members, &roster.before})
            for (const lease::Seat& seat : *seats) seated.insert(seat.member);
        if (!turn.settings.observer) seated.insert(turn.me);
        seating.ring = std::move(seated.ids);
        seating.place.resize(places);
        for (std::uint32_t i = 0; i < seating.ring.size(); ++i)
            seating.place[static_cast<std::uint32_t>(seating.ring[i]) - 1] = i;
        group.ring = seating.ring;
        group.place = seating.place;
    }
    for (const Id id : group.ring)
        seating.ranks[static_cast<std::uint32_t>(id) - 1] = member.rank_of(id, turn);
    group.ranks = seating.ranks;
    return group;
}

// Whoever counts no longer is forgotten, and whoever is new has not been heard yet.
template <class Member, class Turn>
void reseat(Member& member, Turn& turn) {
    const lease::Roster& roster = member.lease.disk.roster;
    const std::uint32_t places = places_of(member, turn);
    member.seated = roster.stamp;
    member.detector.members.resize(places);
    member.introduced.members.resize(places);
    member.standing.follows.resize(places, everyone);
    member.standing.members =
        roster.known() ? static_cast<std::uint32_t>(roster.members.size()) : places;
    for (std::uint32_t i = 1; i <= places; ++i) {
        const Id id{i};
        if (id == turn.me || member.counts(id)) continue;
        member.detector.at(id) = {};
        member.introduced.at(id) = {};
        member.standing.follows[i - 1] = everyone;
        member.mourned.erase(id);
        member.silent.erase(id);
    }
    if (member.standing.members <= 1) member.standing.allowed = true;
    watch_members(member, turn);
}

}  // namespace conclave::member
