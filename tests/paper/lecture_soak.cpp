// The lectures' algorithms under ten thousand seeds of the faults that the lectures allow them.
#include <algorithm>

#include "tests/paper/lecture_storms.hpp"

namespace conclave::simulator {
namespace lecture_soak {

constexpr std::uint64_t seeds = 10'000;

TEST(BullySoak, elects_the_best_and_finishes_the_task) {
    for (const bool recoveries : {false, true})
        for (const bool detector : {false, true})
            each_seed(1, seeds,
                      [&](std::uint64_t seed) { weather_bully(seed, recoveries, detector); });
}

TEST(MulticastSoak, elects_the_best) {
    for (const char* variant : {"all", "timeout", "disagree"})
        each_seed(1, seeds, [&](std::uint64_t seed) { weather_multicast(seed, variant); });
}

TEST(ConsensusSoak, decides_alike) { each_seed(1, seeds, &weather_consensus); }

class InvitationSoak : public testing::TestWithParam<const char*> {};

TEST_P(InvitationSoak, ends_in_one_group_with_the_task_done) {
    each_seed(1, seeds, [](std::uint64_t seed) { weather_invitation(seed, GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Ways, InvitationSoak, priorities,
                         [](const auto& run) { return name_of(run.param); });

}  // namespace lecture_soak
}  // namespace conclave::simulator
