// Every way of breaking bully, and consensus around it, is noticed.
#include "tests/mutation/mutants.hpp"

namespace conclave::mutation {
namespace bully_test {

using namespace std::chrono_literals;
using simulator::Initiators;

// Five processes of which the highest is dead; `caller` notices it.
Scenario dead_leader(std::uint32_t caller) {
    Scenario scenario;
    scenario.order.how = simulator::Order::How::ascending;
    scenario.crashes = {{Id{5}, Time{0}}};
    scenario.initiators = {Initiators::Who::listed, {Id{caller}}};
    scenario.until = 200ms;
    return scenario;
}

bool gives(const Outcome& outcome, std::uint32_t leader, std::uint64_t messages) {
    return outcome.leader == Id{leader} && outcome.messages == messages &&
           outcome.violations.empty() && outcome.quiet;
}

const Promises promises{
    {"best case: N-2 messages",
     [](const Simulate& simulate) { return gives(simulate(dead_leader(4)), 4, 3); }},
    {"worst case: 10 + 6 + 3 messages",
     [](const Simulate& simulate) { return gives(simulate(dead_leader(1)), 4, 19); }},
    {"a task of six parts costs 14 messages more",
     [](const Simulate& simulate) {
         Scenario scenario = dead_leader(1);
         scenario.settings = {{"parts", "6"}};
         return gives(simulate(scenario), 4, 19 + 14);
     }},
    {"the next highest wins when the winner fails after its answer",
     [](const Simulate& simulate) {
         Scenario scenario = dead_leader(1);
         scenario.crashes.push_back({Id{4}, 2500us});
         return simulate(scenario).leader == Id{3};
     }},
    {"a failed leader is replaced as soon as its failure is noticed",
     [](const Simulate& simulate) {
         Scenario scenario = dead_leader(1);
         scenario.detector.on = true;
         scenario.crashes.push_back({Id{4}, 50ms});
         const Outcome outcome = simulate(scenario);
         return outcome.leader == Id{3} && outcome.violations.empty();
     }},
    {"who recovers asks, and takes the lead in time",
     [](const Simulate& simulate) {
         Scenario scenario = dead_leader(4);
         scenario.recoveries = {{Id{5}, 20ms}};
         scenario.checks.one_leader = false;  // the news takes a delay to reach the old leader,
         scenario.checks.agreement = false;   // and who recovers has forgotten what was decided
         return gives(simulate(scenario), 5, 3 + 1 + 1 + 4);
     }},
    {"nobody need call",
     [](const Simulate& simulate) {
         Scenario scenario = dead_leader(1);
         scenario.initiators = {Initiators::Who::none, {}};
         return simulate(scenario).leader == Id{4};
     }},
};

const std::vector<Equivalent> equivalents{
    {"never stop Notice", "it is never stopped"},
    {"never stop Work", "it is never stopped"},
};

TEST(Mutants, of_bully_are_killed) { expect_killed("bully", promises, equivalents); }

TEST(Mutants, of_consensus_are_killed) { expect_killed("consensus", promises, equivalents); }

}  // namespace bully_test
}  // namespace conclave::mutation
