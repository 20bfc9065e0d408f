#include "conclave/claims/limited_storm.hpp"

#include <algorithm>

#include "conclave/core/key.hpp"

namespace conclave::claims {

namespace {

using namespace std::chrono_literals;
using simulator::Delay;
using simulator::Scenario;

// A stream of draws of its own: what the run itself draws does not depend on it.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(mix(seed) + 0x5707) {}
    std::uint64_t below(std::uint64_t n) {
        state_ = mix(state_);
        return state_ % n;
    }
    Duration up_to(Duration most) {
        const auto count = static_cast<std::uint64_t>(most.count()) + 1;
        return Duration{static_cast<std::int64_t>(below(count))};
    }
    Id one_of(std::uint32_t nodes) { return Id{static_cast<std::uint32_t>(below(nodes)) + 1}; }

private:
    std::uint64_t state_;
};

// Two parts at random, neither empty.
simulator::Partition divide(std::uint32_t nodes, simulator::Span when, Dice& dice) {
    simulator::Partition partition{{{}, {}}, when};
    const std::uint64_t mask = 1 + dice.below((std::uint64_t{1} << nodes) - 2);
    for (std::uint32_t id = 1; id <= nodes; ++id)
        partition.parts[mask >> (id - 1) & 1].push_back(Id{id});
    return partition;
}

// One more fault; `up` tells who is.
void add_fault(Scenario& scenario, const LimitedStorm& storm, std::vector<bool>& up, Time now,
               Dice& dice) {
    if (storm.partitions && dice.below(3) == 0) {
        scenario.partitions.push_back(
            divide(scenario.nodes, {now, now + 1ns + dice.up_to(2 * storm.gap_max)}, dice));
        return;
    }
    const Id id = dice.one_of(scenario.nodes);
    const std::size_t at = static_cast<std::uint32_t>(id) - 1;
    if (up[at] && std::count(up.begin(), up.end(), true) > 1) {
        up[at] = false;
        scenario.crashes.push_back({id, now});
    } else if (!up[at] && storm.recoveries) {
        up[at] = true;
        scenario.recoveries.push_back({id, now});
    }
}

}  // namespace

Scenario brew(const LimitedStorm& storm, std::uint64_t seed) {
    Dice dice(seed);
    Scenario scenario;
    scenario.seed = seed;
    scenario.nodes = storm.nodes_min +
                     static_cast<std::uint32_t>(dice.below(storm.nodes_max - storm.nodes_min + 1));
    if (dice.below(3) != 0) scenario.delay = {Delay::Shape::uniform, 100us, 1ms};
    std::vector<bool> up(scenario.nodes, true);
    Time now{};
    for (auto faults = dice.below(storm.faults_max + 1); faults != 0; --faults) {
        now += dice.up_to(dice.below(2) == 0 ? storm.gap_max : storm.gap_max / 5);
        add_fault(scenario, storm, up, now, dice);
        if (!storm.detector)
            scenario.calls.push_back({dice.one_of(scenario.nodes), now + dice.up_to(5ms)});
    }
    for (const auto& partition : scenario.partitions) now = std::max(now, partition.when.until);
    if (storm.detector) {
        scenario.detector.on = true;
        scenario.detector.lateness = {Delay::Shape::constant, 1ms + dice.up_to(2ms)};
    } else {
        Id caller = dice.one_of(scenario.nodes);
        while (!up[static_cast<std::uint32_t>(caller) - 1]) caller = dice.one_of(scenario.nodes);
        scenario.calls.push_back({caller, now + 20ms});
    }
    scenario.until = now + storm.calm;
    return scenario;
}

}  // namespace conclave::claims
