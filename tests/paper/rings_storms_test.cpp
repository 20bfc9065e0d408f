// Every ring algorithm under a thousand seeds of what its paper allows.
#include "tests/paper/rings_storms.hpp"

namespace conclave {
namespace rings_storms_test {

constexpr std::uint64_t seeds = 1000;

class RoughRing : public testing::TestWithParam<const char*> {};

TEST_P(RoughRing, elects_and_comes_to_rest) {
    each_ring_seed(seeds, [](std::uint64_t seed) { weather_ring(GetParam(), seed); });
}

INSTANTIATE_TEST_SUITE_P(Of, RoughRing, testing::ValuesIn(asynchronous_rings), ring_name);

TEST(RingStorms, ring_collect_skips_the_dead) { each_ring_seed(seeds, &weather_collect); }

TEST(RingStorms, repaired_chang_roberts_elects_the_best_survivor) {
    each_ring_seed(seeds, &weather_repaired);
}

TEST(RingStorms, itai_rodeh_in_step_elects_one) { each_ring_seed(seeds, &weather_in_step); }

TEST(RingStorms, archimedean_elects_the_lowest_whatever_the_clocks) {
    each_ring_seed(seeds, &weather_archimedean);
}

}  // namespace rings_storms_test
}  // namespace conclave
