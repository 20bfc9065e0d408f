// Gusella & Zatti 1985, sections 1 and 3: whatever goes wrong, in the end there is one master in
// every connected part.
#include "tests/paper/tempo_weather.hpp"
#include "tests/support/seeds.hpp"

namespace conclave::claims::tempo {
namespace tempo_faults_test {

using tests::enough_seeds;

TEST(TempoFaults, leave_one_master_in_every_part_once_a_newcomer_has_come) {
    for (std::uint64_t seed = 1; seed <= enough_seeds(1000); ++seed) expect_one_master(storm(seed));
}

TEST(TempoFaults, leave_one_master_in_every_part_if_masters_announce_themselves) {
    for (std::uint64_t seed = 1; seed <= enough_seeds(1000); ++seed)
        expect_one_master(storm(seed, true));
}

// The storms are no breeze: without the newcomer two masters are left behind again and again.
TEST(TempoFaults, may_leave_two_masters_if_nobody_reports_them) {
    int split = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Scenario scenario = storm(seed);
        for (auto& start : scenario.starts)
            if (start.at == 16s) start.at = 2 * after_the_storm;
        TempoStage stage(scenario);
        stage.run_until(after_the_storm);
        split += !stage.look().violations.empty();
    }
    EXPECT_GT(split, 20);
}

TEST(TempoFaults, never_give_two_masters_while_the_network_is_calm) {
    for (std::uint64_t seed = 1; seed <= enough_seeds(1000); ++seed) expect_never_two_masters(seed);
}

TEST(TempoFaults, give_two_masters_if_messages_take_longer_than_half_the_candidate_timer) {
    int seen = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        TempoStage stage(breeze(seed, {.delay_max = 6100us, .start_gap = 6100us}));
        stage.run_until(20s);
        seen += !stage.look().violations.empty();
    }
    EXPECT_GT(seen, 0);
}

}  // namespace tempo_faults_test
}  // namespace conclave::claims::tempo
