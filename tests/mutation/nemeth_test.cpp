// Every way of breaking Németh's election is noticed by one of the promises of its exchange.
#include "conclave/claims/nemeth/nemeth_cases.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"
#include "tests/mutation/mutants.hpp"

namespace conclave::mutation {
namespace nemeth_test {

using namespace std::chrono_literals;
namespace exchange = claims::exchange;
using exchange::steady;

Scenario until(Scenario scenario, Time time) {
    scenario.until = time;
    return scenario;
}
bool agreed(const Outcome& outcome, Id leader) {
    return outcome.leader == leader && outcome.violations.empty() && outcome.reports == 0;
}
std::string count(const Outcome& outcome) {
    std::string line;
    for (const auto& [type, sent] : outcome.by_type) line += std::to_string(sent) + " ";
    return line;
}
bool happens(const Simulate& simulate, std::string_view name) {
    const exchange::Case told = exchange::find_case(name);
    const Outcome outcome = simulate(told.scenario);
    return exchange::two_coordinators(outcome) == told.two &&
           (outcome.reports != 0) == !told.cells.empty();
}

const Promises promises{
    {"the cold start of four elects 1 with the least messages",
     [](const Simulate& simulate) {
         const Outcome outcome = simulate(until(steady(4), 9ms));
         return agreed(outcome, Id{1}) && count(outcome) == "4 12 3 3 3 3 3 ";
     }},
    {"life messages keep the exchange quiet",
     [](const Simulate& simulate) {
         const Outcome outcome = simulate(until(steady(3), 100ms));
         return agreed(outcome, Id{1}) && outcome.by_type[0].second == 3;
     }},
    {"a silent coordinator is replaced",
     [](const Simulate& simulate) {
         Scenario scenario = until(steady(3), 60ms);
         scenario.crashes = {{Id{1}, 20ms}};
         return agreed(simulate(scenario), Id{2});
     }},
    {"a silent node costs one more election",
     [](const Simulate& simulate) {
         Scenario scenario = until(steady(4), 60ms);
         scenario.crashes = {{Id{3}, 20ms}};
         const Outcome outcome = simulate(scenario);
         return agreed(outcome, Id{1}) && outcome.by_type[0].second == 5;
     }},
    {"a node that returns to a quiet exchange takes it over at once",
     [](const Simulate& simulate) {
         Scenario scenario = until(steady(3), 78ms);
         scenario.crashes = {{Id{2}, 20ms}};
         scenario.recoveries = {{Id{2}, 70ms}};
         const Outcome outcome = simulate(scenario);
         return agreed(outcome, Id{2}) && outcome.by_type[0].second == 5;
     }},
    {"a node that is being elected and fails is replaced",
     [](const Simulate& simulate) {
         Scenario scenario = until(steady(3), 20ms);
         scenario.crashes = {{Id{1}, 2500us}};
         return agreed(simulate(scenario), Id{2});
     }},
    {"each candidate message prolongs the patience of those that wait",
     [](const Simulate& simulate) {
         // 1 fails; 2, whose clock is fast, stands alone and fails as well. 1 returns, with a
         // timestamp below or above the clocks of the others, and wins just before they would lose
         // patience with 2.
         for (const std::string recovery : {"zero", "kept"}) {
             Scenario scenario = until(steady(6), 60ms);
             scenario.settings = {{"recovery", recovery}};
             scenario.node_clocks = {{Id{2}, 0ms, 200'000'000}};
             scenario.crashes = {{Id{1}, 15ms}, {Id{2}, 21ms}};
             scenario.recoveries = {{Id{1}, 25ms}};
             if (!agreed(simulate(scenario), Id{1})) return false;
         }
         return true;
     }},
    {"failures at random leave one coordinator, and nothing impossible happens",
     [](const Simulate& simulate) {
         for (std::uint64_t seed = 1; seed <= 40; ++seed) {
             const Outcome outcome = simulate(exchange::failing(seed));
             if (!outcome.violations.empty() || outcome.reports != 0) return false;
         }
         return true;
     }},
    {"where the paper's conditions are broken, it breaks as we tell it",
     [](const Simulate& simulate) {
         return happens(simulate, "candidate-timer-below-k") &&
                happens(simulate, "back-before-the-reorganization") &&
                happens(simulate, "kept-clock");
     }},
    {"repaired, it elects one at a staggered start",
     [](const Simulate& simulate) {
         Scenario scenario = exchange::find_case("staggered-start").scenario;
         scenario.settings = {{"repair", "on"}};
         return !exchange::two_coordinators(simulate(scenario));
     }},
};

TEST(Mutants, of_nemeth_are_killed) {
    const std::string blank = "awakes in another state, where its cell is blank";
    expect_killed("nemeth", promises,
                  {{"never stop LifeTimer", blank},
                   {"never stop CandidateTimer", blank},
                   {"never stop ElectionTimer", blank},
                   {"never stop ReorganizingTimer", blank},
                   {"never stop LifeInterval", blank}});
}

}  // namespace nemeth_test
}  // namespace conclave::mutation
