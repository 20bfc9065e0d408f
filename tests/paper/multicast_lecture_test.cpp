// What the lecture says of the multicast-based election, variant by variant: CS425, Feb 22 2023.
#include <gtest/gtest.h>

#include "conclave/claims/storm.hpp"
#include "conclave/core/key.hpp"
#include "conclave/election/bully.hpp"
#include "conclave/election/multicast.hpp"
#include "conclave/simulator/hosting.hpp"

namespace conclave::simulator {
namespace {

using namespace std::chrono_literals;

class MulticastLecture : public testing::TestWithParam<const char*> {
public:
    static Scenario ask(std::uint32_t nodes, std::uint32_t caller) {
        Scenario scenario;
        scenario.nodes = nodes;
        scenario.initiators = {Initiators::Who::listed, {Id{caller}}};
        scenario.settings = {{"variant", GetParam()}};
        return scenario;
    }
};

// "Elect one leader only"; "the result ... should not depend on which process calls for it".
TEST_P(MulticastLecture, the_highest_id_is_elected_whoever_calls) {
    for (std::uint32_t caller = 1; caller <= 6; ++caller) {
        const Outcome outcome = simulate<Multicast>(ask(6, caller));
        EXPECT_EQ(outcome.leader, Id{6});
        EXPECT_TRUE(outcome.violations.empty());
    }
}

// "Multicast <election, my ID> to all processes": the highest needs one multicast, the answers and
// one multicast more.
TEST_P(MulticastLecture, the_best_caller_needs_two_multicasts) {
    const Outcome outcome = simulate<Multicast>(ask(6, 6));
    const bool agrees = std::string_view(GetParam()) != "disagree";
    EXPECT_EQ(outcome.broadcasts, 2u);
    EXPECT_EQ(outcome.copies, agrees ? 5u + 5u + 5u : 5u + 5u);
    EXPECT_EQ(outcome.turnaround, 3ms);
}

// "What about failures?" The first variant waits for the dead for ever; a timeout ends that.
TEST_P(MulticastLecture, with_a_dead_process_only_the_first_variant_never_ends) {
    for (const std::uint32_t dead : {1u, 3u, 6u}) {
        Scenario scenario = ask(6, 2);
        scenario.crashes = {{Id{dead}, Time{0}}};
        const Outcome outcome = simulate<Multicast>(scenario);
        if (std::string_view(GetParam()) == "all")
            EXPECT_EQ(outcome.end, Outcome::End::leaderless) << dead;
        else
            EXPECT_EQ(outcome.leader, Id{dead == 6 ? 5u : 6u}) << dead;
    }
}

// Delays up to T, any callers, any processes dead from the start where a timeout copes with that;
// and when the leader fails later, the detector makes everybody call again.
TEST_P(MulticastLecture, a_thousand_seeds_elect_the_best) {
    const bool timeouts = std::string_view(GetParam()) != "all";
    for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
        Scenario scenario = ask(3 + seed % 6, 1);
        scenario.seed = seed;
        scenario.delay = {Delay::Shape::uniform, 0ms, 1ms};
        const std::uint64_t bits = mix(seed);
        scenario.initiators = {seed % 2 == 0 ? Initiators::Who::all : Initiators::Who::first, {}};
        for (std::uint32_t id = 1; timeouts && id < scenario.nodes; ++id)
            if ((bits >> id & 3) == 3) scenario.crashes.push_back({Id{id}, Time{0}});
        if (timeouts) scenario.crashes.push_back({Id{scenario.nodes}, 50ms});
        if (timeouts) scenario.calls.push_back({Id{scenario.nodes}, 10ms});
        scenario.detector.on = true;
        const Outcome outcome = simulate<Multicast>(scenario);
        const bool nobody_left = scenario.crashes.size() == scenario.nodes;
        ASSERT_TRUE(outcome.violations.empty()) << summarise(outcome);
        ASSERT_EQ(outcome.end, nobody_left ? Outcome::End::leaderless : Outcome::End::agreed);
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, MulticastLecture, testing::Values("all", "timeout", "disagree"),
                         [](const auto& run) { return std::string(run.param); });

// "Can we improve on this?" Each step sends fewer messages than the one before, on the same run.
TEST(MulticastSteps, lead_down_to_bully) {
    Scenario scenario;
    scenario.nodes = 8;
    scenario.crashes = {{Id{8}, Time{0}}};
    scenario.initiators = {Initiators::Who::listed, {Id{1}}};
    scenario.settings = {{"variant", "timeout"}};
    const Outcome timeout = simulate<Multicast>(scenario);
    scenario.settings = {{"variant", "disagree"}};
    const Outcome disagree = simulate<Multicast>(scenario);
    scenario.settings = {};
    const Outcome bully = simulate<Bully>(scenario);
    EXPECT_EQ(timeout.leader, Id{7});
    EXPECT_EQ(disagree.leader, Id{7});
    EXPECT_EQ(bully.leader, Id{7});
    EXPECT_GT(timeout.copies, disagree.copies);
    EXPECT_GT(disagree.copies, bully.copies);
}

}  // namespace
}  // namespace conclave::simulator
