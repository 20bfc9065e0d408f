// What an operator wants of the roster of a running group: add a member, remove or replace one, or
// other times.
//
// A wish says what should be, so it may be repeated until it is so, to whoever leads by then. The
// lease decides when a change may begin and when it is done (lease/changing.hpp).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "conclave/lease/candidacy.hpp"
#include "conclave/lease/lease_messages.hpp"

namespace conclave::member {

struct Wish {
    std::string entry{};   // who comes: NAME or NAME=ADDRESS; empty: nobody
    std::string leaver{};  // who goes: NAME; empty: nobody
    Duration detect{};     // L from then on; 0: as it is
    Duration heartbeat{};  // 0: in the same proportion to L as it is

    bool operator==(const Wish&) const = default;
};

// What a running group may be set to.
inline constexpr Duration detect_least = std::chrono::milliseconds(40);
inline constexpr Duration detect_most = std::chrono::hours(24);
inline constexpr Duration heartbeat_least = std::chrono::milliseconds(10);

inline bool is_about_times(const Wish& wish) {
    return wish.detect != Duration{0} || wish.heartbeat != Duration{0};
}
// L and the heartbeat when the wish has come true. In whole milliseconds where it follows from
// another, for people.
struct Times {
    Duration detect{}, heartbeat{};
};
inline Times times_after(const Wish& wish, const lease::Roster& roster) {
    using std::chrono::milliseconds;
    if (wish.detect == Duration{0})
        return {roster.promise, wish.heartbeat != Duration{0} ? wish.heartbeat : roster.heartbeat};
    if (wish.heartbeat != Duration{0} || roster.heartbeat == Duration{0})
        return {wish.detect, wish.heartbeat};
    const auto whole = [](Duration span) { return span / milliseconds(1); };
    const Duration beat = whole(roster.heartbeat) * whole(wish.detect) /
                          std::max<std::int64_t>(whole(roster.promise), 1) * milliseconds(1);
    return {wish.detect, std::max(beat, heartbeat_least)};
}

inline std::string_view name_in(std::string_view entry) { return entry.substr(0, entry.find('=')); }

// Of a member, or of one before the pending change; nobody: there is none of this name.
inline Id id_named(const lease::Roster& roster, std::string_view name) {
    for (const lease::Title& title : roster.titles)
        if (name_in(title.entry) == name) return title.member;
    return nobody;
}
inline bool has_member(const lease::Roster& roster, std::string_view name) {
    const Id id = id_named(roster, name);
    return id != nobody && is_seated(roster.members, id);
}

// How a roster stands to a wish.
enum class Progress : std::uint8_t {
    open,      // nothing has begun
    other,     // another change is pending
    underway,  // this one is
    done
};
inline Progress progress_of(const Wish& wish, const lease::Roster& roster) {
    const bool came = wish.entry.empty() || has_member(roster, name_in(wish.entry));
    const bool left = wish.leaver.empty() || !has_member(roster, wish.leaver);
    const bool timed = (wish.detect == Duration{0} || roster.promise == wish.detect) &&
                       (wish.heartbeat == Duration{0} || roster.heartbeat == wish.heartbeat);
    if (came && left && timed) return roster.pending() ? Progress::underway : Progress::done;
    return roster.pending() ? Progress::other : Progress::open;
}

// Why a wish cannot come true, whatever happens.
enum class Obstacle : std::uint8_t {
    none,
    is_member,    // who is to be added
    no_member,    // who is to be removed
    last_member,  // nobody would be left
    no_id_left,   // so many members came that no number is left for another
    same_times,   // as they are
    long_beat     // two heartbeats do not fit into L
};

inline Obstacle obstacle_of(const Wish& wish, const lease::Roster& roster) {
    const bool adds = !wish.entry.empty(), removes = !wish.leaver.empty();
    if (removes && !has_member(roster, wish.leaver)) return Obstacle::no_member;
    if (adds && has_member(roster, name_in(wish.entry))) return Obstacle::is_member;
    if (adds && roster.last >= lease::last_id) return Obstacle::no_id_left;
    const Times times = times_after(wish, roster);
    if (2 * times.heartbeat > times.detect) return Obstacle::long_beat;
    if (!adds && !removes && times.detect == roster.promise && times.heartbeat == roster.heartbeat)
        return Obstacle::same_times;
    return removes && !adds && roster.members.size() == 1 ? Obstacle::last_member : Obstacle::none;
}

// What a wish that can come true waits for, as its leader knows.
enum class Awaited : std::uint8_t {
    nothing,       // it is about to begin
    newcomer,      // to answer the leader's asks (M7)
    hand_over,     // the leader is to go
    more_members,  // a majority after the change is not up (M7)
    other_change,  // which is pending
    completion,    // it has begun
    done           // ... and is on the disks that decide: no member is needed any more that was not
};
inline constexpr Awaited awaited_last = Awaited::done;
struct Outlook {
    Awaited awaited = Awaited::nothing;
    std::uint32_t up = 0, needed = 0;  // members after the change
};

// The id of whoever comes next. None is given twice.
inline Id next_id(const lease::Roster& roster) { return Id{roster.last + 1}; }

// What the lease is asked for; nothing: whoever is to be added has not answered yet (M7). D is what
// clocks within `rho_ppm` of true leave of L (M10).
inline std::optional<lease::Alter> alter_of(const Wish& wish, const lease::Roster& roster,
                                            const lease::Candidacy& candidacy,
                                            std::int64_t rho_ppm) {
    const Times times = times_after(wish, roster);
    const bool same = times.detect == roster.promise;
    lease::Alter alter{roster.members,
                       times.detect,
                       same ? roster.lease : lease::lease_time(times.detect, rho_ppm, {}),
                       roster.last,
                       {},
                       times.heartbeat};
    const Id leaver = wish.leaver.empty() ? nobody : id_named(roster, wish.leaver);
    std::erase_if(alter.members, [&](const lease::Seat& seat) { return seat.member == leaver; });
    if (wish.entry.empty()) return alter;
    const Id comer = next_id(roster);
    const auto answer =
        std::find_if(candidacy.answers.begin(), candidacy.answers.end(),
                     [&](const lease::Answered& each) { return each.member == comer; });
    if (answer == candidacy.answers.end()) return std::nullopt;
    alter.members.push_back({comer, answer->key});
    alter.last = static_cast<std::uint32_t>(comer);
    alter.titles = {{comer, wish.entry}};
    return alter;
}

// What M7 asks for, and a little more: a promise of somebody that fell silent a moment ago may
// still be alive, and is worth nothing to a change that takes its time. `suspects(id)`: it is
// silent.
template <class Suspects>
Outlook support_of(const lease::Alter& alter, const lease::Candidacy& candidacy, Time now,
                   const Suspects& suspects) {
    const auto up = std::count_if(
        candidacy.answers.begin(), candidacy.answers.end(), [&](const lease::Answered& each) {
            return each.ends > now && is_seated(alter.members, {each.member, each.key}) &&
                   !suspects(each.member);
        });
    const auto members = static_cast<std::uint32_t>(alter.members.size());
    return {Awaited::more_members, static_cast<std::uint32_t>(up), members / 2 + 1};
}

// `me` leads, at time `now`.
template <class Suspects>
Outlook outlook_of(const Wish& wish, const lease::Roster& roster, const lease::Candidacy& candidacy,
                   Id me, Time now, const Suspects& suspects) {
    switch (progress_of(wish, roster)) {
        case Progress::done:
        case Progress::underway: return {Awaited::completion};
        case Progress::other: return {Awaited::other_change};
        case Progress::open: break;
    }
    if (!wish.leaver.empty() && id_named(roster, wish.leaver) == me) return {Awaited::hand_over};
    const auto alter = alter_of(wish, roster, candidacy, 0);  // who counts after it, not how long
    if (!alter) return {Awaited::newcomer};
    const Outlook support = support_of(*alter, candidacy, now, suspects);
    return support.up < support.needed ? support : Outlook{};
}

}  // namespace conclave::member
