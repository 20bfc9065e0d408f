#include "conclave/election/repaired_chang_roberts.hpp"

#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace repaired_chang_roberts_test {

TEST(RepairedChangRoberts, elects_the_best_in_a_thousand_random_rings) {
    expect_good_runs("repaired-chang-roberts");
}

TEST(RepairedChangRoberts, sends_as_many_messages_as_the_unrepaired_when_nobody_dies) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Scenario scenario = ring_of(20, Who::all);
        scenario.seed = seed;
        EXPECT_EQ(run("repaired-chang-roberts", scenario).messages,
                  run("chang-roberts", scenario).messages);
    }
}

TEST(RingRepair, the_best_survivor_leads_chang_and_roberts_ring) {
    expect_good_runs_of_the_dying(
        [](const Scenario& scenario) { return run("repaired-chang-roberts", scenario); });
}

}  // namespace repaired_chang_roberts_test
}  // namespace conclave
