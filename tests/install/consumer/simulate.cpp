// The installed simulator, in a program of somebody else.
#include <cstdio>

#include "conclave/algorithms.hpp"
#include "conclave/simulator/simulate.hpp"

int main() {
    conclave::simulator::Scenario scenario;
    scenario.algorithm = "chang-roberts";
    scenario.nodes = 7;
    const auto outcome = conclave::simulator::simulate<conclave::ChangRoberts>(scenario);
    std::puts(conclave::simulator::to_json(outcome).c_str());
    return outcome.leader == conclave::Id{7} ? 0 : 1;
}
