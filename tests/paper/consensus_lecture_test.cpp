// "If we could solve election, then we could solve consensus!": CS425, Feb 22 2023.
#include <gtest/gtest.h>

#include "conclave/election/consensus.hpp"
#include "conclave/simulator/simulation_hosting.hpp"
#include "tests/paper/lecture_storms.hpp"

namespace conclave::simulator {
namespace consensus_lecture_test {

using namespace std::chrono_literals;

bool has(const Outcome& outcome, std::string_view property) {
    return std::any_of(outcome.violations.begin(), outcome.violations.end(),
                       [&](const Violation& v) { return v.property == property; });
}

// "Elect a process, use its id's last bit as the consensus decision."
TEST(ConsensusLecture, all_decide_the_last_bit_of_the_winners_id) {
    for (std::uint32_t n = 2; n <= 9; ++n) {
        Scenario scenario;
        scenario.nodes = n;
        Decisions decisions(1);
        World<Consensus> world(scenario, {}, decisions);
        const Outcome outcome = world.run();
        EXPECT_TRUE(outcome.violations.empty());
        for (std::uint32_t id = 1; id <= n; ++id)
            EXPECT_EQ(world.node(Id{id}).decision(), n % 2 == 0 ? "0" : "1");
    }
}

TEST(ConsensusLecture, a_thousand_seeds_decide_alike) { each_seed(1, 1000, &weather_consensus); }

// A finding: the election must be over when its winner fails. Here 5 reaches only 1 before it does;
// 1 decides by 5, the others by 4.
TEST(ConsensusLecture, a_winner_that_fails_while_it_announces_leaves_two_decisions) {
    Scenario scenario;
    scenario.initiators = {Initiators::Who::listed, {Id{5}}};
    scenario.crashes = {{Id{5}, 500us}};
    scenario.detector.on = true;
    scenario.detector.lateness = {Delay::Shape::constant, 2ms};
    for (const std::uint32_t id : {2u, 3u, 4u})
        scenario.cuts.push_back({Id{5}, Id{id}, {0ms, 1ms}});
    const Outcome outcome = simulate<Consensus>(scenario);
    EXPECT_EQ(outcome.leader, Id{4});  // the election itself ends well
    EXPECT_TRUE(has(outcome, "decision"));
    EXPECT_FALSE(has(outcome, "agreement"));
}

}  // namespace consensus_lecture_test
}  // namespace conclave::simulator
