// The lease over a shared cell explored further: searches of minutes.
#include "tests/lease/cells.hpp"
#include "tests/lease/storms.hpp"

namespace conclave::checker {
namespace cell_soak {

TEST(CellSearch, a_crash_and_a_restart_of_cell_or_candidate_never_let_two_act) {
    expect_safe_cell(crashes(same_pace()), 2'137'132);
}

TEST(CellSearch, an_agent_that_dies_and_returns_never_lets_two_act) {
    expect_safe_cell(suffers(same_pace(), "agent-dies", "agent-returns"), 11'703'532);
}

TEST(CellStorms, no_hundred_thousand_storms_let_two_act) {
    simulator::Scenario scenario;
    scenario.algorithm = "cell";
    scenario.nodes = 3;
    scenario.storm = std::chrono::seconds(10);
    simulator::expect_calm(scenario, {1, 100'000});
}

}  // namespace cell_soak
}  // namespace conclave::checker
