// Every ring algorithm under ten thousand seeds of what its paper allows.
#include "tests/paper/rings_storms.hpp"

namespace conclave {
namespace rings_storms_soak {

constexpr std::uint64_t seeds = 10'000;

class RoughRingSoak : public testing::TestWithParam<const char*> {};

TEST_P(RoughRingSoak, elects_and_comes_to_rest) {
    each_ring_seed(seeds, [](std::uint64_t seed) { weather_ring(GetParam(), seed); });
}

INSTANTIATE_TEST_SUITE_P(Of, RoughRingSoak, testing::ValuesIn(asynchronous_rings), ring_name);

TEST(RingStormsSoak, ring_collect_skips_the_dead) { each_ring_seed(seeds, &weather_collect); }

TEST(RingStormsSoak, repaired_chang_roberts_elects_the_best_survivor) {
    each_ring_seed(seeds, &weather_repaired);
}

TEST(RingStormsSoak, itai_rodeh_in_step_elects_one) { each_ring_seed(seeds, &weather_in_step); }

TEST(RingStormsSoak, archimedean_elects_the_lowest_whatever_the_clocks) {
    each_ring_seed(seeds, &weather_archimedean);
}

}  // namespace rings_storms_soak
}  // namespace conclave
