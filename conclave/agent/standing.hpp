// When a node may stand for leader at all.
//
// A ballot binds its owner: who stood once does not promise to a lesser ballot again. A node that
// was cut off and stood alone would come back unable to follow the leader that all others kept. So
// a node that has lost its leader by silence, or has just come up, stands only when a majority has
// told it since then that they follow nobody either. A leader that said farewell needs no such
// proof. This decides only whether to try; who wins is up to the promises.
//
// Where it happened all the same, the others' word ends it: a node that stands in vain beside a
// leader that a majority follows, the leader itself among them, follows that leader, too.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/core/id.hpp"

namespace conclave::agent {

class Standing {
public:
    explicit Standing(std::uint32_t members) : follows_(members, unknown) {}

    bool allowed() const { return allowed_; }
    // There is a leader: should it leave with a farewell, its heir may stand at once.
    void follow() { allowed_ = true; }
    // There is no sign of a leader: what was said before no longer counts.
    void lose() {
        forget();
        allowed_ = follows_.size() <= 1;
    }
    void forget() { std::fill(follows_.begin(), follows_.end(), unknown); }
    // A member says whom it follows, or nobody.
    void hear(Id member, Id follows) {
        follows_[static_cast<std::uint32_t>(member) - 1] = follows;
        if (2 * (count(nobody) + 1) > follows_.size()) allowed_ = true;
    }
    // A majority, others than this node, says that it follows nobody.
    bool leaderless() const { return 2 * count(nobody) > follows_.size(); }
    // Whom a majority follows, and who says so itself; nobody if there is none.
    Id agreed() const {
        for (std::uint32_t i = 0; i < follows_.size(); ++i)
            if (follows_[i] == Id{i + 1} && 2 * count(Id{i + 1}) > follows_.size())
                return Id{i + 1};
        return nobody;
    }

private:
    static constexpr Id unknown = everyone;
    std::size_t count(Id id) const {
        return static_cast<std::size_t>(std::count(follows_.begin(), follows_.end(), id));
    }

    std::vector<Id> follows_;  // by their own word
    bool allowed_ = false;
};

}  // namespace conclave::agent
