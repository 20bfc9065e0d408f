// Ten thousand other storms and breezes than those of tempo_faults_test.cpp.
#include "tests/paper/tempo_weather.hpp"

namespace conclave::claims::tempo {
namespace tempo_soak {

constexpr std::uint64_t first = 1001, last = 11'000;

TEST(TempoSoak, storms_leave_one_master_in_every_part_once_a_newcomer_has_come) {
    for (std::uint64_t seed = first; seed <= last; ++seed) expect_one_master(storm(seed));
}

TEST(TempoSoak, storms_leave_one_master_in_every_part_if_masters_announce_themselves) {
    for (std::uint64_t seed = first; seed <= last; ++seed) expect_one_master(storm(seed, true));
}

TEST(TempoSoak, breezes_never_give_two_masters) {
    for (std::uint64_t seed = first; seed <= last; ++seed) expect_never_two_masters(seed);
}

}  // namespace tempo_soak
}  // namespace conclave::claims::tempo
