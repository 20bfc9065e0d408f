// A turn depends on the node, its state and the event alone. So each different turn is taken once,
// for every outcome of its choices, and from then on looked up: the search composes turns, it does
// not repeat them. One for each thread.
#pragma once

#include <vector>

#include "conclave/checker/world/memo.hpp"
#include "conclave/checker/world/nodes.hpp"
#include "conclave/checker/world/shared.hpp"

namespace conclave::checker {

class Turns {
public:
    Turns(Shared& shared, Nodes& nodes)
        : shared_(shared),
          nodes_(nodes),
          faults_(!nodes.traits().faults.empty()),
          knows_better_(nodes.traits().knows_better) {}

    const std::vector<Way>& take(std::size_t at, std::uint32_t local, const Event& event) {
        const std::uint64_t question =
            std::uint64_t{local} << 36 | std::uint64_t{event.which} << 16 |
            std::uint64_t{event.from} << 10 | static_cast<std::uint64_t>(event.what) << 6 | at;
        const std::uint32_t known = memo_.find(question);
        if (known != Memo::unknown) return ways_[known];
        check(event.from < 64 && at < 64, "a world of at most 63 nodes");
        if (local >= (1u << 28) || event.which >= (1u << 20)) {
            shared_.too_many = true;
            return no_ways_;
        }
        std::vector<Way> ways = nodes_.take(at, local, event);
        if (ways.size() > 1) shared_.chose = true;
        memo_.put(question, static_cast<std::uint32_t>(ways_.size()));
        ways_.push_back(std::move(ways));
        return ways_.back();
    }

    std::uint32_t tick(std::uint32_t local, std::uint32_t units) {
        const std::uint64_t question = std::uint64_t{local} << 8 | units;
        const std::uint32_t known = ticks_.find(question);
        if (known != Memo::unknown) return known;
        const std::uint32_t after = nodes_.age(local, units);
        ticks_.put(question, after);
        return after;
    }

    // Nothing happens to it but messages, faults and the passing of time.
    bool rests(std::uint32_t local) const {
        const NodeState& node = nodes_[local];
        return node.life != Life::unborn && node.due == 0 && node.news == 0 && node.doubted == 0 &&
               !faults_;  // from which relief may come
    }

    bool leads(std::uint32_t local, std::size_t at) const {
        const NodeState& node = nodes_[local];
        if (node.life != Life::up) return false;
        return knows_better_ ? node.acts : node.leader == shared_.ring[at];
    }

private:
    Shared& shared_;
    Nodes& nodes_;
    bool faults_, knows_better_;
    Memo memo_, ticks_;
    const std::vector<Way> no_ways_{};
    std::vector<std::vector<Way>> ways_;  // may move; callers copy what they keep
};

}  // namespace conclave::checker
