#include "conclave/election/echo.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/graph_runs.hpp"

namespace conclave {
namespace echo_test {

using Wave = Echo::Wave;
using Elected = Echo::Elected;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }

TEST(Echo, sends_its_wave_through_all_ports) {
    Actor<Echo> two(2, 3);
    EXPECT_EQ(two.after(Call{}),
              (Lines{"Follow(0)", "Send(1, Wave(0, 2))", "Send(3, Wave(0, 2))"}));
    EXPECT_EQ(two.after(Call{}), Lines{});
}

TEST(Echo, passes_a_wave_on_and_answers_its_parent_last) {
    Actor<Echo> two(2, 4);
    EXPECT_EQ(two.after(Wave{0, rank(3)}, 3),
              (Lines{"Follow(0)", "Send(1, Wave(0, 3))", "Send(4, Wave(0, 3))"}));
    EXPECT_EQ(two.after(Wave{0, rank(3)}, 1), Lines{});
    EXPECT_EQ(two.after(Wave{0, rank(3)}, 4), Lines{"Send(3, Wave(0, 3))"});
}

TEST(Echo, lets_worse_waves_die_out_and_joins_better_ones) {
    Actor<Echo> two(2, 3);
    two.after(Call{});
    EXPECT_EQ(two.after(Wave{0, rank(1)}, 1), Lines{});
    EXPECT_EQ(two.after(Wave{0, rank(3)}, 3), Lines{"Send(1, Wave(0, 3))"});
    EXPECT_EQ(two.after(Wave{0, rank(2)}, 1), Lines{}) << "its own, which is extinct now";
    EXPECT_EQ(two.after(Wave{0, rank(3)}, 1), Lines{"Send(3, Wave(0, 3))"});
}

TEST(Echo, leads_when_all_echoes_of_its_wave_are_home) {
    Actor<Echo> two(2, 3);
    two.after(Call{});
    EXPECT_EQ(two.after(Wave{0, rank(2)}, 1), Lines{});
    EXPECT_EQ(two.after(Wave{0, rank(2)}, 3),
              (Lines{"Follow(2)", "Send(1, Elected(0, 2))", "Send(3, Elected(0, 2))"}));
}

TEST(Echo, tells_the_news_once) {
    Actor<Echo> two(2, 3);
    EXPECT_EQ(two.after(Elected{0, rank(1)}, 3), (Lines{"Follow(1)", "Send(1, Elected(0, 1))"}));
    EXPECT_EQ(two.after(Elected{0, rank(1)}, 1), Lines{});
    EXPECT_EQ(two.after(Wave{0, rank(3)}, 3), Lines{}) << "of the election that is over";
    EXPECT_EQ(two.after(Call{}),
              (Lines{"Follow(0)", "Send(1, Wave(1, 2))", "Send(3, Wave(1, 2))"}));
}

TEST(Echo, elects_somebody_in_a_thousand_random_graphs) { expect_good_graph_runs("echo"); }

TEST(Echo, takes_two_messages_a_link_and_the_news_for_one_caller) {
    for (const auto shape : many_shapes) {
        const Scenario scenario = shaped(shape, 64, Who::first, 3);
        const Outcome outcome = run("echo", scenario);
        EXPECT_EQ(sent(outcome, "Wave"), 2 * links_of(scenario));
        EXPECT_EQ(sent(outcome, "Elected"), 2 * links_of(scenario) - 63);
    }
}

TEST(Echo, never_takes_more_than_its_bound_and_nearly_does_where_waves_grow_better) {
    for (const auto shape : many_shapes)
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            const Scenario scenario = shaped(shape, 32, Who::all, seed);
            EXPECT_LE(sent(run("echo", scenario), "Wave"), 32 * 2 * links_of(scenario));
        }
}

TEST(Echo, elects_the_best_of_those_who_called) {
    Scenario scenario = shaped(GraphPlan::Shape::torus, 25, Who::listed, 1);
    scenario.initiators.ids = {Id{4}, Id{17}, Id{9}};
    EXPECT_EQ(run("echo", scenario).leader, Id{17});
}

}  // namespace echo_test
}  // namespace conclave
