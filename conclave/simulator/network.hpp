// What happens to one copy of a message on its way: how long it takes, whether it is lost, doubled
// or overtaken, and who can reach whom just now.
#pragma once

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conclave/core/algorithm.hpp"
#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/draws.hpp"
#include "conclave/simulator/scenario.hpp"

namespace conclave::simulator {

struct Passage {
    std::string_view lost;  // empty: not lost; else why
    Time arrives{};
    Time again = never;  // when a duplicate arrives
};

class Network {
public:
    Network(const Scenario& scenario, const Card& card, Decisions& decisions);

    // One delay for all, and nothing else can happen: arrivals come in the order of sending.
    bool steady() const { return steady_; }
    Duration steady_delay() const { return delay_.low; }
    bool in_order() const { return in_order_; }

    Passage carry(Id from, Id to, std::uint32_t count, bool broadcast, Time now) {
        if (split_ && !reaches(from, to)) return {.lost = "cut off"};
        if (loses_ && lost({Purpose::lose, from, to, count})) return {.lost = "lost"};
        Passage passage{.lost = {}, .arrives = now + travel(from, to, count, broadcast)};
        if (!in_order_ || ordered_) settle_order(from, to, count, passage);
        if (doubles_) double_up({Purpose::duplicate, from, to, count}, passage);
        return passage;
    }

    void split(const Partition& partition);
    void heal(const Partition& partition);
    void cut(Id from, Id to);
    void mend(Id from, Id to);
    bool reaches(Id from, Id to) const;
    // Both ways, as partitions see it; one-way cuts do not divide the network.
    bool same_part(Id a, Id b) const { return parts_.empty() || part(a) == part(b); }

private:
    const std::vector<std::uint32_t>& part(Id id) const {
        return parts_[static_cast<std::uint32_t>(id) - 1];
    }
    bool lost(const Decision& decision) {
        return decisions_.decide(decision, 0,
                                 [&](std::uint64_t bits) { return loss_.hit(bits); }) != 0;
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
    void settle_order(Id from, Id to, std::uint32_t count, Passage& passage);
    void double_up(const Decision& decision, Passage& passage);
    Time& last_arrival(Id from, Id to);

    Decisions& decisions_;
    std::uint32_t nodes_;
    Delay delay_;
    std::map<std::pair<Id, Id>, Delay> links_;
    Odds loss_, duplication_, reordering_;
    Duration reorder_by_;
    bool same_for_all_, ordered_, steady_, in_order_;
    bool loses_, doubles_, reorders_;  // it may happen: the odds allow it, or a log is followed
    bool ring_;

    std::vector<Time> last_;  // per link, where links are few
    std::unordered_map<std::uint64_t, Time> last_of_many_;
    bool split_ = false;
    std::vector<const Partition*> partitions_;
    std::vector<std::vector<std::uint32_t>> parts_;  // per node: its part in each partition
    std::vector<std::pair<Id, Id>> cuts_;
};

}  // namespace conclave::simulator
