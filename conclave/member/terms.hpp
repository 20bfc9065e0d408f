// Who led, and why no longer: the last terms as this member saw them, and what became of it in
// between. Fed with a member's news; nothing is decided by it.
#pragma once

#include <cstdint>
#include <vector>

#include "conclave/member/member_messages.hpp"

namespace conclave::member {

// Times are the host's: it may prefer the time of day.
struct Term {
    Id leader = nobody;
    std::uint64_t token = 0;  // 0: this member has not heard it yet
    Time began{};
    Time ended = never;   // never: it goes on
    Change brought_by{};  // the end of the term before; of nobody's: it was elected
    Change ended_by{};
};

struct Terms {
    static constexpr std::size_t most = 16;

    std::vector<Term> last{};      // oldest first
    Change turn{};                 // the last end of a term: how the next one came about
    std::uint64_t changes = 0;     // so often this member came to follow or to lead
    std::uint64_t merges = 0;      // members that came back to this one while it led
    Duration leaderless{};         // so long it knew of no leader, without the present time
    Time since = lease::long_ago;  // there is no leader; `never`: there is one

    // Nobody's term needs no reason to end. `now` is on the clock of `since`, `date` on that of
    // the terms.
    void note(const Change& change, Time now, Time date) {
        if (since != never) leaderless += now - since;
        since = change.leader == nobody ? now : never;
        if (!last.empty() && last.back().ended == never) {
            last.back().ended = date;
            last.back().ended_by = change;
        }
        if (change.former != nobody) turn = change;
        if (change.leader == nobody) return;
        ++changes;
        if (last.size() == most) last.erase(last.begin());
        last.push_back({.leader = change.leader, .began = date, .brought_by = turn});
    }
    // Of a leader to whom it could not promise, a member learns the token when it hears its
    // renewals. True: it was not known before.
    bool note_token(std::uint64_t token) {
        if (last.empty() || last.back().token != 0 || token == 0) return false;
        last.back().token = token;
        return true;
    }

    // This member leads, and its work starts.
    void note_start(std::uint64_t token) {
        if (!last.empty() && last.back().ended == never) last.back().token = token;
    }

    std::uint64_t token() const { return last.empty() ? 0 : last.back().token; }
    Duration leaderless_until(Time now) const {
        return since == never ? leaderless : leaderless + (now - since);
    }
};

}  // namespace conclave::member
