// Every way of breaking the multicast election is noticed.
#include "tests/mutation/mutants.hpp"

namespace conclave::mutation {
namespace multicast_test {

using namespace std::chrono_literals;

Scenario ask_all(const char* variant) {
    Scenario scenario;
    scenario.initiators = {simulator::Initiators::Who::listed, {Id{1}}};
    scenario.settings = {{"variant", variant}};
    scenario.until = 100ms;
    return scenario;
}

bool gives(const Outcome& outcome, std::uint64_t copies) {
    return outcome.leader == Id{5} && outcome.copies == copies && outcome.violations.empty() &&
           outcome.quiet;
}

TEST(Mutants, of_multicast_are_killed) {
    const Promises promises{
        {"all must agree: 20 + 20 + 4 copies",
         [](const Simulate& simulate) { return gives(simulate(ask_all("all")), 44); }},
        {"or time is up: the same",
         [](const Simulate& simulate) { return gives(simulate(ask_all("timeout")), 44); }},
        {"only disagreement counts: 20 + 10 + 4 copies",
         [](const Simulate& simulate) { return gives(simulate(ask_all("disagree")), 34); }},
        {"a dead process does no harm where there is a timeout", [](const Simulate& simulate) {
             Scenario scenario = ask_all("timeout");
             scenario.crashes = {{Id{3}, Time{0}}};
             return simulate(scenario).leader == Id{5};
         }}};
    expect_killed("multicast", promises);
}

}  // namespace multicast_test
}  // namespace conclave::mutation
