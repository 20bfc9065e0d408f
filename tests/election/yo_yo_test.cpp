#include "conclave/election/yo_yo.hpp"

#include <bit>

#include "conclave/simulator/world/layout.hpp"
#include "tests/election/actor.hpp"
#include "tests/election/graph_runs.hpp"

namespace conclave {
namespace yo_yo_test {

using Hello = YoYo::Hello;
using Down = YoYo::Down;
using Up = YoYo::Up;
Rank rank(std::uint32_t id) { return plain_rank(Id{id}); }

TEST(YoYo, a_source_sends_its_rank_down) {
    Actor<YoYo> three(3, 3);
    EXPECT_EQ(three.after(Call{}), (Lines{"Send(1, Hello(0, 3))", "Send(2, Hello(0, 3))"}));
    EXPECT_EQ(three.after(Hello{0, rank(1)}, 1), Lines{});
    EXPECT_EQ(three.after(Hello{0, rank(2)}, 2),
              (Lines{"Send(1, Down(0, 3))", "Send(2, Down(0, 3))"}));
}

TEST(YoYo, others_pass_the_best_value_on_when_all_have_come) {
    Actor<YoYo> two(2, 4);
    for (const std::uint32_t id : {1u, 3u, 4u}) two.after(Hello{0, rank(id)}, id);
    EXPECT_EQ(two.after(Down{0, rank(4)}, 4), Lines{});
    EXPECT_EQ(two.after(Down{0, rank(3)}, 3), Lines{"Send(1, Down(0, 4))"});
}

TEST(YoYo, a_sink_votes_for_the_best_value_and_turns_the_other_links_round) {
    Actor<YoYo> one(1, 3);
    one.after(Hello{0, rank(2)}, 2);
    one.after(Hello{0, rank(3)}, 3);
    one.after(Down{0, rank(2)}, 2);
    EXPECT_EQ(one.after(Down{0, rank(3)}, 3),
              (Lines{"Send(2, Up(0, no, no))", "Send(3, Up(0, yes, no))"}));
    EXPECT_EQ(one.node.links[0].way, YoYo::Way::out);
    EXPECT_EQ(one.node.links[1].way, YoYo::Way::in);
}

TEST(YoYo, a_sink_that_hears_one_value_only_prunes_all_its_links) {
    Actor<YoYo> one(1, 3);
    one.after(Hello{0, rank(2)}, 2);
    one.after(Hello{0, rank(3)}, 3);
    one.after(Down{0, rank(3)}, 2);
    EXPECT_EQ(one.after(Down{0, rank(3)}, 3),
              (Lines{"Send(2, Up(0, yes, yes))", "Send(3, Up(0, yes, yes))"}));
    EXPECT_EQ(one.node.state, YoYo::State::passive);
}

TEST(YoYo, a_no_from_below_becomes_a_no_to_all_and_prunes_nothing) {
    Actor<YoYo> two(2, 4);
    for (const std::uint32_t id : {1u, 3u, 4u}) two.after(Hello{0, rank(id)}, id);
    two.after(Down{0, rank(4)}, 4);
    two.after(Down{0, rank(4)}, 3);
    EXPECT_EQ(two.after(Up{0, false, false}, 1),
              (Lines{"Send(3, Up(0, no, no))", "Send(4, Up(0, no, no))"}));
    EXPECT_EQ(two.node.links[0].way, YoYo::Way::in);
}

TEST(YoYo, keeps_a_value_that_is_a_round_ahead) {
    Actor<YoYo> three(3, 3);
    three.after(Hello{0, rank(1)}, 1);
    three.after(Hello{0, rank(2)}, 2);
    EXPECT_EQ(three.after(Up{0, false, false}, 1), Lines{});
    EXPECT_EQ(three.after(Down{0, rank(9)}, 1), Lines{}) << "2 has not voted yet";
    EXPECT_EQ(three.after(Up{0, true, false}, 2), Lines{"Send(2, Down(0, 9))"});
    EXPECT_FALSE(three.node.source);
}

TEST(YoYo, the_source_that_has_no_link_left_leads) {
    Actor<YoYo> three(3, 3);
    three.after(Hello{0, rank(1)}, 1);
    three.after(Hello{0, rank(2)}, 2);
    three.after(Up{0, true, true}, 1);
    EXPECT_EQ(three.after(Up{0, true, true}, 2),
              (Lines{"Follow(3)", "Send(1, Elected(0, 3))", "Send(2, Elected(0, 3))"}));
}

TEST(YoYo, elects_the_best_in_a_thousand_random_graphs) { expect_good_graph_runs("yo-yo"); }

// Sources are places whose neighbours are all worse.
std::uint64_t sources_of(const Scenario& scenario) {
    Scenario named = scenario;
    named.algorithm = "yo-yo";
    const auto layout = simulator::lay_out(named, simulator::Decisions(named.seed));
    std::uint64_t count = 0;
    for (std::uint32_t at = 0; at < named.nodes; ++at) {
        bool source = true;
        for (const std::uint32_t other : layout.graph.around(at).places)
            source = source && layout.ring[other] < layout.ring[at];
        count += source;
    }
    return count;
}

TEST(YoYo, never_takes_more_than_its_bound) {
    for (const auto shape : many_shapes)
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const Scenario scenario = shaped(shape, 64, Who::all, seed);
            const std::uint64_t links = links_of(scenario);
            const auto rounds =
                static_cast<std::uint64_t>(std::bit_width(sources_of(scenario) - 1)) + 1;
            const Outcome outcome = run("yo-yo", scenario);
            EXPECT_EQ(sent(outcome, "Hello"), 2 * links);
            EXPECT_LE(sent(outcome, "Down") + sent(outcome, "Up"), 2 * links * rounds) << seed;
            EXPECT_EQ(sent(outcome, "Elected"), 2 * links - 63);
        }
}

}  // namespace yo_yo_test
}  // namespace conclave
