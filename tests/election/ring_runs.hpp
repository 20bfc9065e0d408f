// Runs of ring algorithms: a scenario in a line, and many random ones.
#pragma once

#include <gtest/gtest.h>

#include "conclave/core/key.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave {

using simulator::Outcome;
using simulator::Scenario;
using Who = simulator::Initiators::Who;
using How = simulator::Order::How;

inline Scenario ring_of(std::uint32_t nodes, Who who = Who::first, How how = How::random) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.initiators.who = who;
    scenario.order.how = how;
    return scenario;
}

inline Outcome run(std::string_view algorithm, const Scenario& scenario,
                   trace::Trace* trace = nullptr) {
    const simulator::Engine* engine = simulator::find_engine(algorithm);
    if (engine == nullptr) throw std::invalid_argument("no algorithm " + std::string(algorithm));
    return engine->simulate(scenario, {.trace = trace, .record = nullptr, .replay = nullptr});
}

inline std::uint64_t sent(const Outcome& outcome, std::string_view type) {
    for (const auto& [name, count] : outcome.by_type)
        if (name == type) return count;
    throw std::invalid_argument("no message " + std::string(type));
}

// Size, order, initiators, their times and the delays all from the seed.
inline Scenario random_ring(std::uint64_t seed) {
    const auto draw = [&](std::uint64_t what, std::uint64_t n) { return mix(mix(seed), what) % n; };
    Scenario scenario = ring_of(1 + static_cast<std::uint32_t>(draw(0, 20)), Who::listed);
    scenario.seed = seed;
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id)
        if (draw(100 + id, 1 + draw(1, 4)) == 0) scenario.initiators.ids.push_back(Id{id});
    if (scenario.initiators.ids.empty()) scenario.initiators.who = Who::last;
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id)
        if (draw(200 + id, 4) == 0)
            scenario.calls.push_back({Id{id}, std::chrono::microseconds(draw(300 + id, 20'000))});
    using Shape = simulator::Delay::Shape;
    scenario.delay.shape = static_cast<Shape>(draw(2, 3));
    scenario.delay.high = scenario.delay.low + std::chrono::milliseconds(draw(3, 5));
    return scenario;
}

// A run that kept every promise on the card, and in which nothing was left to do.
inline void expect_good(const Outcome& outcome) {
    EXPECT_EQ(outcome.end, Outcome::End::agreed) << to_json(outcome);
    EXPECT_TRUE(outcome.violations.empty()) << to_json(outcome);
    EXPECT_TRUE(outcome.quiet) << to_json(outcome);
    EXPECT_EQ(outcome.reports, 0u) << to_json(outcome);
}

inline void expect_good_runs(std::string_view algorithm, std::uint64_t seeds = 1000) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        expect_good(run(algorithm, random_ring(seed)));
        if (testing::Test::HasFailure()) return;
    }
}

// Up to four processes die at random times; all others hear of it, each with its own delay.
inline Scenario dying_ring(std::uint64_t seed) {
    const auto draw = [&](std::uint64_t what, std::uint64_t n) { return mix(seed, what) % n; };
    Scenario scenario = random_ring(seed);
    scenario.nodes += 2;
    scenario.detector.on = true;
    scenario.detector.lateness = {simulator::Delay::Shape::uniform, Duration{0},
                                  std::chrono::milliseconds(1 + draw(1, 20))};
    std::vector<bool> dies(scenario.nodes + 1);
    for (std::uint64_t i = draw(2, 4) + 1; i-- != 0;) {
        const auto id = static_cast<std::uint32_t>(2 + draw(10 + i, scenario.nodes - 1));
        if (dies[id]) continue;
        dies[id] = true;
        scenario.crashes.push_back({Id{id}, std::chrono::microseconds(draw(20 + i, 40'000))});
    }
    scenario.calls.push_back({Id{1}, Time{0}});  // which never dies
    return scenario;
}

// simulate: an Outcome from a Scenario.
template <class Simulate>
void expect_good_runs_of_the_dying(const Simulate& simulate) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        expect_good(simulate(dying_ring(seed)));
        if (testing::Test::HasFailure()) return;
    }
}

}  // namespace conclave
