// The fate of one copy of a message: how long it takes, whether it is lost, doubled
// or overtaken, and who can reach whom just now.
#pragma once

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conclave/core/card.hpp"
#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

struct Passage {
    Time arrives;  // never: it is lost, or cut off
    Time again;    // when a duplicate arrives, if ever
};

struct Cue;

class Network {
public:
    Network(const Scenario& scenario, const Card& card, Decisions& decisions);

    // One delay for all: arrivals come in the order of sending.
    bool in_order() const { return in_order_; }
    Duration common_delay() const { return delay_.low; }
    // And nothing else can happen.
    bool steady() const { return steady_; }

    // The `count`th message of the node at `at`, which is `from`.
    Passage carry(std::uint32_t at, Id from, Id to, std::uint32_t count, bool broadcast, Time now) {
        const std::uint32_t all = copies(from, to, count);
        if (all == 0) return {never, never};
        Time arrives = now + delay_.low;
        if (!in_order_)
            arrives = settle(at, from, to, count, now + travel(from, to, count, broadcast));
        return {arrives, all == 1 ? never : arrives + Duration{behind_}};
    }

    // How many copies of it arrive: none, one or two. One draw tells: its upper half whether the
    // message is lost, its lower half whether it is doubled. Nearly always it is neither.
    std::uint32_t copies(Id from, Id to, std::uint32_t count) {
        if (!split_ && !decisions_.logged()) {
            if (!loses_ && !doubles_) return 1;
            const std::uint64_t fate = decisions_.bits({Purpose::lose, from, to, count});
            if (!loss_.hit(fate) && !duplication_.hit(fate << 32)) [[likely]]
                return 1;
        }
        return uncommon_copies(from, to, count);
    }

    // Soon the node at `at` will send.
    void fetch(std::uint32_t at) const {
        if (!last_.empty()) __builtin_prefetch(&last_[at]);
    }

    bool loses() const { return at_risk_; }  // messages may get lost just now

    void obey(const Cue& cue);  // where it concerns the network
    void calm();
    void split(const Partition& partition);
    void heal(const Partition& partition);
    void cut(Id from, Id to);
    void mend(Id from, Id to);
    bool reaches(Id from, Id to) const;
    // Both ways, as partitions see it; one-way cuts do not divide the network.
    bool same_part(Id a, Id b) const { return parts_.empty() || part(a) == part(b); }

private:
    std::uint32_t uncommon_copies(Id from, Id to, std::uint32_t count);
    const std::vector<std::uint32_t>& part(Id id) const {
        return parts_[static_cast<std::uint32_t>(id) - 1];
    }
    Duration travel(Id from, Id to, std::uint32_t count, bool broadcast) {
        const Delay& delay = links_.empty() ? delay_ : delay_of(from, to);
        // A link with a delay of its own takes its own time even for a broadcast.
        const bool shared = broadcast && same_for_all_ && &delay == &delay_;
        const Decision decision{Purpose::delay, from, shared ? everyone : to, count};
        return Duration{decisions_.decide(decision, usual_delay(delay), [&](std::uint64_t bits) {
            return draw_delay(delay, bits);
        })};
    }
    const Delay& delay_of(Id from, Id to) const;
    // Not before those in front of it, unless it falls back on purpose.
    Time settle(std::uint32_t at, Id from, Id to, std::uint32_t count, Time arrives) {
        if (reorders_) {
            const std::int64_t behind = draw_fall(from, to, count);
            if (behind != 0) return arrives + Duration{behind};  // the others overtake it
        }
        if (!ordered_) return arrives;
        Time& last = ring_ ? last_[at] : last_arrival(from, to);
        last = std::max(arrives, last);
        return last;
    }
    std::int64_t draw_fall(Id from, Id to, std::uint32_t count);
    std::int64_t draw_lag(Id from, Id to, std::uint32_t count) const;  // of a second copy
    Time& last_arrival(Id from, Id to);

    Decisions& decisions_;
    std::uint32_t nodes_;
    Delay delay_;
    std::map<std::pair<Id, Id>, Delay> links_;
    Odds loss_, duplication_, reordering_;
    Duration reorder_by_;
    bool same_for_all_, ordered_, steady_, in_order_;
    std::int64_t behind_ = 0;  // how far the last second copy was
    bool loses_;               // it may happen: the odds allow it, or a log that is followed has it
    bool at_risk_;             // likewise, but not from the calm on
    bool doubles_, reorders_;  // as loses_
    bool ring_;

    std::vector<Time> last_;  // arrival of each node's messages, where one link leads out of each
    std::unordered_map<std::uint64_t, Time> last_of_many_;
    bool split_ = false;
    std::vector<const Partition*> partitions_;
    std::vector<std::vector<std::uint32_t>> parts_;  // per node: its part in each partition
    std::vector<std::pair<Id, Id>> cuts_;
};

}  // namespace conclave::simulator
