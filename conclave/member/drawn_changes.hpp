// Changes of the roster that nobody planned: an operator asks a leader for any that may be, as the
// run's chance has it. For simulated storms; exhaustive search has plans (membership.hpp).
#pragma once

#include <optional>
#include <vector>

#include "conclave/member/membership.hpp"

namespace conclave::member {

struct DrawnChanges {
    // A group of one that loses its disk needs an operator's word, and storms have none.
    static constexpr std::size_t members_least = 2, members_most = 7;

    // Only a node that has answered can be added: a leader without such a learner is not asked to.
    template <class Turn>
    std::optional<lease::Alter> next(const Roster& roster, const lease::Candidacy& candidacy,
                                     Turn& turn) const {
        if (!roster.known() || roster.pending() || !candidacy.ballot.stands()) return std::nullopt;
        const auto kind = turn.choose(4);
        if (kind == 3) return with_other_times(roster, turn);
        std::vector<Seat> learners;
        for (const lease::Answered& each : candidacy.answers)
            if (!is_seated(roster.members, each.member))
                learners.push_back({each.member, each.key});
        const bool adds = kind != 1, removes = kind != 0;
        if (adds && learners.empty()) return std::nullopt;
        if (!adds && roster.members.size() <= members_least) return std::nullopt;
        if (!removes && roster.members.size() >= members_most) return std::nullopt;
        const Seat comer = adds ? learners[turn.choose(learners.size())] : Seat{};
        RosterChange change;
        change.added = comer.member;
        if (removes) change.removed = roster.members[turn.choose(roster.members.size())].member;
        return change.apply(roster, comer.key);
    }

private:
    // L as it was first, or less: the bound on the time without work stays true. D in proportion.
    template <class Turn>
    static std::optional<lease::Alter> with_other_times(const Roster& roster, Turn& turn) {
        const auto part = static_cast<std::int64_t>(2 + turn.choose(3));
        const Duration promise = roster.longest / 4 * part;
        if (promise == roster.promise) return std::nullopt;
        const Duration lease =
            roster.lease * (promise.count() / 1000) / (roster.promise.count() / 1000);
        return lease::Alter{roster.members, promise, lease};
    }
};

}  // namespace conclave::member
