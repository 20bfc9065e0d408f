#include "conclave/claims/tempo/tempo_storms.hpp"

#include "conclave/core/key.hpp"

namespace conclave::claims::tempo {

namespace {

using simulator::Delay;
using simulator::Odds;

// Draws apart from the simulator's own, so that a scenario stays what it is.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : seed_(mix(seed + 1985)) {}
    std::uint64_t below(std::uint64_t n) { return mix(seed_ + ++count_) % n; }
    bool percent(std::uint64_t chance) { return below(100) < chance; }
    Duration between(Duration low, Duration high) {
        return low + Duration{below(static_cast<std::uint64_t>((high - low).count()) + 1)};
    }
    Id one_of(std::uint32_t nodes) { return Id{static_cast<std::uint32_t>(below(nodes)) + 1}; }
    Odds up_to_percent(std::uint64_t most) {
        return {(std::uint64_t{1} << 32) / 100 * below(most + 1)};
    }

private:
    std::uint64_t seed_, count_ = 0;
};

constexpr Time storm_ends = 10s;

Scenario group(std::uint64_t seed, std::uint32_t nodes) {
    Scenario scenario;
    scenario.algorithm = "tempo";
    scenario.seed = seed;
    scenario.nodes = nodes;
    scenario.initiators.who = simulator::Initiators::Who::none;
    return scenario;
}

void trouble_messages(Scenario& scenario, Dice& dice) {
    scenario.calm = storm_ends;
    if (dice.percent(75)) scenario.loss = dice.up_to_percent(30);
    if (dice.percent(50)) scenario.duplication = dice.up_to_percent(30);
    if (dice.percent(50)) scenario.reordering.odds = dice.up_to_percent(50);
    scenario.reordering.by = dice.between(1ms, 20ms);
    if (dice.percent(50))
        scenario.delay = {Delay::Shape::uniform, dice.between(100us, 1ms), dice.between(1ms, 4ms)};
    else if (dice.percent(20))
        scenario.delay = {Delay::Shape::exponential, dice.between(100us, 1ms), {}};
}

void trouble_machines(Scenario& scenario, Dice& dice, std::uint32_t nodes) {
    for (std::uint32_t i = 1; i <= nodes; ++i) {
        Time time = dice.percent(60) ? dice.between(0s, 3s) : 0s;
        scenario.starts.push_back({Id{i}, time});
        while (dice.percent(55)) {
            time = dice.between(time + 1ms, time + 4s);
            if (time > storm_ends) break;
            scenario.crashes.push_back({Id{i}, time});
            time = dice.between(time + 1ms, time + 3s);
            if (time > storm_ends || dice.percent(20)) break;
            scenario.recoveries.push_back({Id{i}, time, dice.percent(50)});
        }
    }
    if (dice.percent(30)) {
        scenario.clocks.offset = dice.between(0s, 5s);
        scenario.clocks.drift_ppb = static_cast<std::int64_t>(dice.below(1'000'000));
    }
}

void trouble_network(Scenario& scenario, Dice& dice, std::uint32_t nodes) {
    const auto split = [&](Time from, Time until) {
        simulator::Partition partition{{{}}, {from, until}};
        for (std::uint32_t i = 1; i <= nodes; ++i)
            if (dice.percent(50)) partition.parts[0].push_back(Id{i});
        scenario.partitions.push_back(partition);
    };
    while (dice.percent(40)) {
        const Time from = dice.between(0s, storm_ends - 1s);
        split(from, dice.between(from + 1ms, storm_ends));
    }
    while (dice.percent(60)) {
        const Id from = dice.one_of(nodes), to = dice.one_of(nodes);
        const Time time = dice.between(0s, storm_ends - 200ms);
        if (from != to)
            scenario.cuts.push_back({from, to, {time, dice.between(time, time + 200ms)}});
    }
    if (dice.percent(25)) split(storm_ends, never);
}

}  // namespace

Scenario storm(std::uint64_t seed, bool announcing) {
    Dice dice(seed);
    const auto nodes = static_cast<std::uint32_t>(2 + dice.below(7));
    Scenario scenario = group(seed, nodes);
    scenario.until = after_the_storm;
    trouble_messages(scenario, dice);
    trouble_machines(scenario, dice, nodes);
    trouble_network(scenario, dice, nodes);
    for (const char* option : {"fresh", "deputy", "ranked"})
        if (dice.percent(20)) scenario.settings.emplace_back(option, "on");
    if (dice.percent(50)) scenario.settings.emplace_back("startup-range", "0s");
    if (announcing) {
        scenario.settings.emplace_back("announce", "3s");
        return scenario;
    }
    // One newcomer to each part that is left.
    const bool parted =
        !scenario.partitions.empty() && scenario.partitions.back().when.until == never;
    scenario.nodes = nodes + (parted ? 2 : 1);
    for (std::uint32_t id = nodes + 1; id <= scenario.nodes; ++id)
        scenario.starts.push_back({Id{id}, 16s});
    if (parted) scenario.partitions.back().parts[0].push_back(Id{nodes + 1});
    return scenario;
}

Scenario breeze(std::uint64_t seed, const Calm& calm) {
    Dice dice(seed);
    const auto nodes = static_cast<std::uint32_t>(2 + dice.below(5));
    Scenario scenario = group(seed, nodes);
    scenario.until = 20s;
    scenario.delay = {Delay::Shape::uniform, dice.percent(50) ? Duration{100us} : calm.delay_max,
                      calm.delay_max};
    if (dice.percent(30)) scenario.duplication = dice.up_to_percent(20);
    std::vector<Time> taken;
    const auto free_time = [&](Time low, Time high) {
        for (;;) {
            const Time time = dice.between(low, high);
            const auto near = [&](Time other) {
                return std::chrono::abs(time - other) <= calm.start_gap;
            };
            if (std::none_of(taken.begin(), taken.end(), near)) return taken.emplace_back(time);
            high += calm.start_gap;
        }
    };
    for (std::uint32_t i = 1; i <= nodes; ++i) {
        Time time = free_time(0s, dice.percent(50) ? 200ms : 10s);
        scenario.starts.push_back({Id{i}, time});
        while (dice.percent(60) && time < 20s) {
            time = dice.between(time + 1ms, time + 8s);
            scenario.crashes.push_back({Id{i}, time});
            if (dice.percent(30)) break;
            time = free_time(time + 1ms, time + (dice.percent(50) ? 100ms : 3s));
            scenario.recoveries.push_back({Id{i}, time});
        }
    }
    scenario.settings = {{"startup-range", "0s"}};
    if (dice.percent(50))
        scenario.settings.insert(scenario.settings.end(), {{"r", "1100ms"}, {"R", "200ms"}});
    if (dice.percent(30)) scenario.settings.emplace_back("R", "20ms");
    scenario.checks = {.one_leader = true, .informed = false, .agreement = false};
    return scenario;
}

}  // namespace conclave::claims::tempo
