// What was counted in the last minute or so: a fault that was put right is soon no finding any
// more.
#pragma once

#include "conclave/agent/group/post.hpp"

namespace conclave::agent {

class Lately {
public:
    static constexpr Duration span = std::chrono::minutes(1);

    // Called now and then. Of two counts the older one is half a span to a span old.
    void note(const PostCounts& counts, Time now) {
        if (now - noted_ < span / 2) return;
        older_ = std::exchange(newer_, counts);
        noted_ = now;
    }
    std::uint64_t unsent(const PostCounts& counts) const { return counts.unsent - older_.unsent; }
    std::uint64_t dropped(const PostCounts& counts, wire::Drop reason) const {
        const auto at = static_cast<std::size_t>(reason);
        return counts.dropped[at] - older_.dropped[at];
    }

private:
    PostCounts older_{}, newer_{};
    Time noted_{};
};

}  // namespace conclave::agent
