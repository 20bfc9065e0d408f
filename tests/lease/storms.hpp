// Storms over a lease, for the tests that count what they bring to light.
#pragma once

#include <gtest/gtest.h>

#include "conclave/lease/rules.hpp"
#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/campaign/sweep.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "tests/support/seeds.hpp"

namespace conclave::simulator {

inline Scenario stormy(const std::string& algorithm, std::uint32_t nodes = 3) {
    Scenario scenario;
    scenario.algorithm = cluster_name(algorithm);
    scenario.nodes = nodes;
    scenario.storm = std::chrono::seconds(10);
    EXPECT_TRUE(validate(scenario).empty());
    return scenario;
}

// Three of five form the group; operators add, remove and replace members, and change the times.
inline Scenario changing(const std::string& algorithm) {
    Scenario scenario = stormy(algorithm, 5);
    scenario.settings.emplace_back("founders", "3");
    EXPECT_TRUE(validate(scenario).empty());
    return scenario;
}

struct Forecast {
    Summary summary;
    Duration idle{}, bound{};  // the longest of all runs, and what is promised
};

inline Forecast weather(const Scenario& scenario, Seeds seeds) {
    Forecast forecast;
    SweepPlan plan;
    plan.seeds = seeds;
    plan.threads = 2;
    plan.each = [&](const Outcome& outcome) {
        forecast.idle = std::max(forecast.idle, outcome.idle);
        forecast.bound = outcome.bound;
        return true;
    };
    forecast.summary = sweep(scenario, plan);
    return forecast;
}

inline void expect_calm(const Scenario& scenario, Seeds seeds) {
    seeds.last = tests::enough_seeds(seeds.last);
    const Forecast forecast = weather(scenario, seeds);
    EXPECT_EQ(forecast.summary.failures, 0u)
        << "seed " << forecast.summary.failing.front() << " of " << scenario.algorithm;
    EXPECT_GT(forecast.idle, Duration{0});  // some storm did stop the work
    EXPECT_LE(forecast.idle, forecast.bound);
}

// Whether one of these storms shows that the rules are needed: those after it are not run.
inline bool finds(const std::string& algorithm, Seeds seeds,
                  std::initializer_list<lease::Rule> rules, const std::string& property) {
    Scenario scenario = stormy(algorithm);
    for (const lease::Rule rule : rules) scenario.mutation.rules_off |= lease::bit(rule);
    bool found = false;
    SweepPlan plan;
    plan.seeds = seeds;
    plan.threads = 2;
    plan.each = [&](const Outcome& outcome) {
        for (const Violation& violation : outcome.violations)
            found |= violation.property == property;
        return !found;
    };
    sweep(scenario, plan);
    return found;
}

}  // namespace conclave::simulator
