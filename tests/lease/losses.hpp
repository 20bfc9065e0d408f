// Five minutes in which datagrams of a simulated group are lost, and what that does to its leader.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "conclave/simulator/campaign/sweep.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/scenario/validate.hpp"

namespace conclave::tests {

struct Losses {
    std::uint64_t most = 0, sum = 0;  // changes of leader: in one run, and in all
    std::uint64_t violations = 0;
};

using Who = simulator::Initiators::Who;

inline Losses lose(std::uint64_t percent, std::uint64_t seeds, Who first,
                   const std::string& repeat = {}) {
    simulator::Scenario scenario;
    scenario.algorithm = simulator::cluster_name("bully");
    scenario.nodes = 3;
    scenario.loss = {(std::uint64_t{1} << 32) * percent / 100};
    scenario.until = std::chrono::seconds(300);
    scenario.initiators.who = first;
    if (!repeat.empty()) scenario.settings = {{"repeat", repeat}};
    EXPECT_TRUE(simulator::validate(scenario).empty());
    Losses losses;
    simulator::SweepPlan plan;
    plan.seeds = {1, seeds};
    plan.threads = 2;
    plan.each = [&](const simulator::Outcome& outcome) {
        losses.most = std::max(losses.most, outcome.terms - 1);
        losses.sum += outcome.terms - 1;
        losses.violations += outcome.violations.size();
        return true;
    };
    sweep(scenario, plan);
    return losses;
}

}  // namespace conclave::tests
