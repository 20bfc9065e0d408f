// When a node may stand for leader at all.
//
// A ballot binds its owner: who stood once does not promise to a lesser ballot again. A node that
// was cut off and stood alone would come back unable to follow the leader that all others kept. So
// a node that has lost its leader by silence, or has just come up, stands only when a majority has
// told it since then that they follow nobody either. A leader that said farewell needs no such
// proof. This decides only whether to try; who wins is up to the promises.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/core/id.hpp"

namespace conclave::agent {

class Standing {
public:
    explicit Standing(std::uint32_t members) : free_(members) {}

    bool allowed() const { return allowed_; }
    // There is a leader: should it leave with a farewell, its heir may stand at once.
    void follow() { allowed_ = true; }
    // There is no sign of a leader: what was said before no longer counts.
    void lose() {
        std::fill(free_.begin(), free_.end(), false);
        allowed_ = free_.size() <= 1;
    }
    void hear(Id member, bool follows_somebody) {
        free_[static_cast<std::uint32_t>(member) - 1] = !follows_somebody;
        const auto others = std::count(free_.begin(), free_.end(), true);
        if (static_cast<std::size_t>(others) + 1 > free_.size() / 2) allowed_ = true;
    }

private:
    std::vector<bool> free_;  // of any leader, by their own word
    bool allowed_ = false;
};

}  // namespace conclave::agent
