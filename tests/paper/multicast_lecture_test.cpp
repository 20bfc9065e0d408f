// What the lecture says of the multicast-based election, variant by variant: CS425, Feb 22 2023.
#include <gtest/gtest.h>

#include "conclave/election/bully.hpp"
#include "conclave/election/multicast.hpp"
#include "tests/paper/lecture_storms.hpp"

namespace conclave::simulator {
namespace multicast_lecture_test {

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

TEST_P(MulticastLecture, a_thousand_seeds_elect_the_best) {
    each_seed(1, 1000, [](std::uint64_t seed) { weather_multicast(seed, GetParam()); });
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

// A finding: only where no question comes behind the news. Here 3 announces itself at once, and 1,
// which calls at the same moment, sends 2 into a second election.
TEST(MulticastSteps, may_lead_up_again_where_a_question_comes_behind_the_news) {
    Scenario scenario;
    scenario.nodes = 3;
    scenario.initiators.who = Initiators::Who::all;
    scenario.order = {Order::How::ascending, {}};
    EXPECT_EQ(simulate<Bully>(scenario).copies, 3u * 2 + 2);
    scenario.order = {Order::How::listed, {Id{2}, Id{3}, Id{1}}};
    EXPECT_EQ(simulate<Bully>(scenario).copies, 14u);
    scenario.settings = {{"variant", "disagree"}};
    EXPECT_EQ(simulate<Multicast>(scenario).copies, 3u * 3 + 2);
}

}  // namespace multicast_lecture_test
}  // namespace conclave::simulator
