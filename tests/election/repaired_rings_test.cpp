// The rings that no engine repairs, repaired: apart from Chang and Roberts's, so that a change of
// one of them compiles the other's tests as seldom as can be.
#include "conclave/core/ring_repair.hpp"
#include "conclave/election/dolev_klawe_rodeh.hpp"
#include "conclave/election/franklin.hpp"
#include "conclave/election/hirschberg_sinclair.hpp"
#include "conclave/election/le_lann.hpp"
#include "conclave/election/ring_basic.hpp"
#include "conclave/simulator/simulation_hosting.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace repaired_rings_test {

template <class A>
void expect_repaired_runs() {
    expect_good_runs_of_the_dying(
        [](const Scenario& scenario) { return simulator::simulate<Repaired<A>>(scenario, {}); });
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

}  // namespace repaired_rings_test
}  // namespace conclave
