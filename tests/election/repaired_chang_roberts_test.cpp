#include "conclave/election/repaired_chang_roberts.hpp"

#include "conclave/election/dolev_klawe_rodeh.hpp"
#include "conclave/election/franklin.hpp"
#include "conclave/election/hirschberg_sinclair.hpp"
#include "conclave/election/le_lann.hpp"
#include "conclave/election/ring_basic.hpp"
#include "conclave/simulator/hosting.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace repaired_chang_roberts_test {

// Up to four processes die at random times; all others hear of it, each with its own delay.
Scenario dying_ring(std::uint64_t seed) {
    const auto draw = [&](std::uint64_t what, std::uint64_t n) { return mix(seed, what) % n; };
    Scenario scenario = random_ring(seed);
    scenario.nodes += 2;
    scenario.detector.on = true;
    scenario.detector.lateness = {simulator::Delay::Shape::uniform, Duration{0},
                                  std::chrono::milliseconds(1 + draw(1, 20))};
    std::vector<bool> dies(scenario.nodes + 1);
    for (std::uint64_t i = draw(2, 4) + 1; i-- != 0;) {
        const auto id = static_cast<std::uint32_t>(2 + draw(10 + i, scenario.nodes - 1));
        if (dies[id]) continue;
        dies[id] = true;
        scenario.crashes.push_back({Id{id}, std::chrono::microseconds(draw(20 + i, 40'000))});
    }
    scenario.calls.push_back({Id{1}, Time{0}});  // which never dies
    return scenario;
}

template <class A>
void expect_repaired_runs() {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        expect_good(simulator::simulate<Repaired<A>>(dying_ring(seed), {}));
        if (testing::Test::HasFailure()) return;
    }
}

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
    expect_repaired_runs<ChangRoberts>();
}
TEST(RingRepair, the_best_survivor_leads_the_basic_ring) { expect_repaired_runs<RingBasic>(); }
TEST(RingRepair, a_survivor_leads_le_lanns_ring) { expect_repaired_runs<LeLann>(); }
TEST(RingRepair, the_best_survivor_leads_dolev_klawe_and_rodehs_ring) {
    expect_repaired_runs<DolevKlaweRodeh>();
}
TEST(RingRepair, the_best_survivor_leads_franklins_ring) { expect_repaired_runs<Franklin>(); }
TEST(RingRepair, the_best_survivor_leads_hirschberg_and_sinclairs_ring) {
    expect_repaired_runs<HirschbergSinclair>();
}

}  // namespace repaired_chang_roberts_test
}  // namespace conclave
