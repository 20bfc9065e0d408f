// When a member may stand for election at all.
//
// A ballot binds its owner: who stood once does not promise to a lesser ballot again. A member that
// was cut off and stood alone would come back unable to follow the leader that all others kept. So
// a member that has lost its leader by silence, or has just come up, stands only when a majority
// has told it since then that they follow nobody either. A leader whose guardian reports its death
// needs no such proof. This decides only whether to try; who wins is up to the promises.
//
// Where it happened all the same, the others' word ends it: a member that stands in vain beside a
// leader that a majority follows, the leader itself among them, follows that leader, too.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/core/id.hpp"

namespace conclave::member {

struct Standing {
    std::vector<Id> follows;    // by their own word, of every place; everyone: it has not said
    std::uint32_t members = 0;  // so many of the places count
    bool allowed = false;

    // There is a leader: should it release the lease, its successor may stand at once.
    void follow() { allowed = true; }
    // There is no sign of a leader: what was said before no longer counts.
    void lose() {
        forget();
        allowed = members <= 1;
    }
    void forget() { std::fill(follows.begin(), follows.end(), everyone); }
    // A member says whom it follows, or nobody.
    void hear(Id member, Id leader) {
        follows[static_cast<std::uint32_t>(member) - 1] = leader;
        if (2 * (count(nobody) + 1) > members) allowed = true;
    }
    // A majority, others than this member, says that it follows nobody.
    bool leaderless() const { return 2 * count(nobody) > members; }
    // Whom a majority follows, and who says so itself; nobody if there is none.
    Id agreed() const {
        for (std::uint32_t i = 0; i < follows.size(); ++i)
            if (follows[i] == Id{i + 1} && 2 * count(Id{i + 1}) > members) return Id{i + 1};
        return nobody;
    }

    std::size_t count(Id id) const {
        return static_cast<std::size_t>(std::count(follows.begin(), follows.end(), id));
    }
};

}  // namespace conclave::member
