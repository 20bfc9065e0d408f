// Who counts, and for how long a promise holds: one version of the group's roster (M1).
//
// While a change is pending, a ballot needs a majority of the members and one of those before. The
// holder of a lease writes rosters and stamps each with its ballot, so two are never confused, and
// the later stamp is the later roster.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conclave/core/text.hpp"
#include "conclave/lease/ballot.hpp"

namespace conclave::lease {

inline constexpr std::uint32_t last_id = 0xfffe;  // a token has 16 bits for its owner

struct Stamp {
    Ballot ballot{};      // of the leader that wrote it
    std::uint32_t n = 0;  // counts the steps of all changes: odd while one is pending
};
constexpr bool less(const Stamp& a, const Stamp& b) {
    if (less(a.ballot, b.ballot) || less(b.ballot, a.ballot)) return less(a.ballot, b.ballot);
    return a.n < b.n;
}

// M8: a member is a place in the group together with one life of its disk.
struct Seat {
    Id member = nobody;
    std::uint32_t key = 0;
};
inline constexpr std::uint32_t founding_key = 1;  // founders know each other's disks
using Seats = std::vector<Seat>;                  // ordered by member, each once

inline bool is_seated(const Seats& seats, Id member) {
    return std::any_of(seats.begin(), seats.end(),
                       [&](const Seat& seat) { return seat.member == member; });
}
inline bool is_seated(const Seats& seats, const Seat& seat) {
    return std::find(seats.begin(), seats.end(), seat) != seats.end();
}
// The key of its disk; 0: it has no seat.
inline std::uint32_t key_of(const Seats& seats, Id member) {
    for (const Seat& seat : seats)
        if (seat.member == member) return seat.key;
    return 0;
}

// How an operator named a member: NAME or NAME=ADDRESS. The lease does not read it.
struct Title {
    Id member = nobody;
    std::string entry{};
};
using Titles = std::vector<Title>;  // ordered by member, each once

inline void add_title(Titles& titles, const Title& title) {
    const auto at = std::find_if(titles.begin(), titles.end(),
                                 [&](const Title& each) { return each.member >= title.member; });
    if (at == titles.end() || at->member != title.member)
        titles.insert(at, title);
    else
        *at = title;
}

struct Roster {
    Stamp stamp{};
    Seats members{};         // empty: not known; where rosters never change, the whole group
    Seats before{};          // the members before the pending change; else the same as `members`
    Duration promise{};      // L of the asks that carry this roster
    Duration lease{};        // D of those asks
    Duration longest{};      // W: the longest L that any roster ever had
    std::uint32_t last = 0;  // the greatest id that was ever given: none is given twice
    Titles titles{};         // of the members and of those before; empty: they have no names
    Duration heartbeat{};    // 0: as each member is set. The lease does not read it

    bool known() const { return !members.empty(); }
    bool pending() const { return stamp.n % 2 == 1; }
    bool changed() const { return stamp != Stamp{}; }  // since the group was formed
    bool lists(Id member) const { return is_seated(members, member) || is_seated(before, member); }
    bool lists(const Seat& seat) const {
        return is_seated(members, seat) || is_seated(before, seat);
    }
};

// "1.2+1 [1 2 3 | 1 2]": round and member of the stamp, n, those before if they differ, the
// members.
using conclave::text;
inline std::string text(const Roster& roster) {
    if (!roster.known()) return "Roster";
    std::string list = "Roster " + std::to_string(roster.stamp.ballot.round) + "." +
                       text(roster.stamp.ballot.member) + "+" + std::to_string(roster.stamp.n);
    const auto add = [&](const Seats& seats) {
        for (const Seat& seat : seats) list += " " + text(seat.member);
    };
    list += " [";
    if (roster.before != roster.members) add(roster.before), list += " |";
    add(roster.members);
    return list + " ]";
}

// Could a leader have written it? Whatever comes from a network is asked before it is believed.
inline bool is_sound(const Roster& roster, std::size_t members_most) {
    const auto orderly = [&](const auto& list) {
        const auto wrong = [](const auto& a, const auto& b) { return a.member >= b.member; };
        const bool ids = std::all_of(list.begin(), list.end(), [&](const auto& each) {
            return each.member != nobody && static_cast<std::uint32_t>(each.member) <= roster.last;
        });
        return ids && std::adjacent_find(list.begin(), list.end(), wrong) == list.end();
    };
    const auto size_fits = [&](const Seats& seats) {
        return !seats.empty() && seats.size() <= members_most;
    };
    if (!roster.known()) return roster == Roster{};
    return roster.last <= last_id && size_fits(roster.members) && size_fits(roster.before) &&
           orderly(roster.members) && orderly(roster.before) && orderly(roster.titles) &&
           roster.titles.size() <= 2 * members_most && roster.lease > Duration{0} &&
           roster.promise >= roster.lease && roster.longest >= roster.promise &&
           roster.heartbeat >= Duration{0} && roster.heartbeat <= roster.promise / 2 &&
           (roster.pending() || roster.before == roster.members);
}

inline bool is_newer(const Roster& a, const Roster& b) {
    return a.known() && (!b.known() || less(b.stamp, a.stamp));
}

}  // namespace conclave::lease
