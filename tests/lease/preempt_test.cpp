// Storms in which a leader gives way when another is elected, as with --preempt.
#include "tests/lease/storms.hpp"

namespace conclave::simulator {
namespace preempt_test {

TEST(Preempt, leaders_that_give_way_let_nobody_wait_for_longer_than_the_bound) {
    for (const std::string algorithm : {"tempo", "bully"}) {
        Scenario scenario = stormy(algorithm);
        scenario.settings = {{"preempt", "on"}};
        expect_calm(scenario, {1, 500});
    }
}

}  // namespace preempt_test
}  // namespace conclave::simulator
