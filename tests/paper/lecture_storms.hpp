// The faults that the lectures allow each of their algorithms, from a seed: the same storms for the
// thousand seeds of every test run and the ten thousand of a long one.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "conclave/claims/invitation/invitation_rows.hpp"
#include "conclave/claims/limited_storm.hpp"
#include "conclave/core/key.hpp"
#include "conclave/election/bully.hpp"
#include "conclave/election/consensus.hpp"
#include "conclave/election/invitation.hpp"
#include "conclave/election/multicast.hpp"
#include "conclave/simulator/simulate.hpp"
#include "tests/support/seeds.hpp"

namespace conclave::simulator {

using namespace std::chrono_literals;

// Crashes, and recoveries if allowed, at random; with a detector there is a task to be done, too.
inline void weather_bully(std::uint64_t seed, bool recoveries, bool detector) {
    Scenario scenario = claims::brew({.recoveries = recoveries, .detector = detector}, seed);
    scenario.checks.one_leader = !recoveries;
    if (detector) scenario.settings = {{"parts", "20"}};
    const Outcome outcome = simulate<Bully>(scenario);
    ASSERT_TRUE(outcome.quiet) << summarise(outcome);
    ASSERT_EQ(outcome.end, Outcome::End::agreed) << summarise(outcome);
    ASSERT_TRUE(outcome.violations.empty()) << summarise(outcome);
}

// Delays up to T, any callers, any processes dead from the start where a timeout copes with that;
// and when the leader fails later, the detector makes everybody call again.
inline void weather_multicast(std::uint64_t seed, const std::string& variant) {
    const bool timeouts = variant != "all";
    Scenario scenario;
    scenario.nodes = 3 + static_cast<std::uint32_t>(seed % 6);
    scenario.settings = {{"variant", variant}};
    scenario.seed = seed;
    scenario.delay = {Delay::Shape::uniform, 0ms, 1ms};
    const std::uint64_t bits = mix(seed);
    scenario.initiators = {seed % 2 == 0 ? Initiators::Who::all : Initiators::Who::first, {}};
    for (std::uint32_t id = 1; timeouts && id < scenario.nodes; ++id)
        if ((bits >> id & 3) == 3) scenario.crashes.push_back({Id{id}, Time{0}});
    if (timeouts) scenario.crashes.push_back({Id{scenario.nodes}, 50ms});
    if (timeouts) scenario.calls.push_back({Id{scenario.nodes}, 10ms});
    scenario.detector.on = true;
    const Outcome outcome = simulate<Multicast>(scenario);
    const bool nobody_left = scenario.crashes.size() == scenario.nodes;
    ASSERT_TRUE(outcome.violations.empty()) << summarise(outcome);
    ASSERT_EQ(outcome.end, nobody_left ? Outcome::End::leaderless : Outcome::End::agreed);
}

// Anybody may be dead from the start, and anybody fail at any time, but for the best one left.
inline void weather_consensus(std::uint64_t seed) {
    Scenario scenario = claims::brew({.faults_max = 0}, seed);
    scenario.initiators.who = seed % 2 == 0 ? Initiators::Who::all : Initiators::Who::first;
    const std::uint64_t bits = mix(seed);
    bool best_lives = false;
    for (std::uint32_t id = scenario.nodes; id > 1; --id) {
        if ((bits >> id & 1) != 0)
            scenario.crashes.push_back({Id{id}, Time{0}});
        else if (best_lives && (bits >> (id + 16) & 1) != 0)
            scenario.crashes.push_back({Id{id}, Duration((bits >> id) % 12'000'000)});
        best_lives = best_lives || (bits >> id & 1) == 0;
    }
    const Outcome outcome = simulate<Consensus>(scenario);
    ASSERT_EQ(outcome.end, Outcome::End::agreed) << summarise(outcome);
    ASSERT_TRUE(outcome.violations.empty()) << summarise(outcome);
}

// The four ways of priority, and what a test of one is called.
inline const auto priorities = testing::Values("ignore-lower", "hasten", "only-lower", "delay");
inline std::string name_of(std::string priority) {
    std::replace(priority.begin(), priority.end(), '-', '_');
    return priority;
}

// Crashes, recoveries, partitions, and loss in half of the runs; then calm.
inline void weather_invitation(std::uint64_t seed, const std::string& priority) {
    Scenario scenario = claims::stormy_groups(seed);
    scenario.settings.insert(scenario.settings.end(), {{"parts", "20"}, {"priority", priority}});
    const Outcome outcome = simulate<Invitation>(scenario);
    ASSERT_EQ(outcome.end, Outcome::End::agreed) << summarise(outcome);
    ASSERT_TRUE(outcome.violations.empty()) << summarise(outcome);
    ASSERT_EQ(outcome.reports, 0u);
}

// Stops at the first seed that goes wrong, and names it.
template <class Weather>
void each_seed(std::uint64_t first, std::uint64_t last, const Weather& weather) {
    for (std::uint64_t seed = first; seed <= tests::enough_seeds(last); ++seed) {
        weather(seed);
        if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

}  // namespace conclave::simulator
