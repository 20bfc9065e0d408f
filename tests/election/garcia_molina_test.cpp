#include "conclave/election/garcia_molina.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace garcia_molina_test {

using G = GarciaMolina;
using namespace std::chrono_literals;

TEST(GarciaMolina, asks_the_better_ones_first_and_stops_if_one_is_there) {
    Actor<G> two(2, 3);
    EXPECT_EQ(two.after(Start{}), (Lines{"Set(Timeout, 3ms)", "Send(3, AreYouThere(1))"}));
    EXPECT_EQ(two.after(G::Answer{1, false}, 3), (Lines{"Stop(Timeout)", "Set(Patience, 40ms)"}));
}

TEST(GarciaMolina, halts_the_lesser_ones_then_appoints_itself_then_hands_out_the_task) {
    Actor<G> two(2, 3);
    two.after(Start{});
    EXPECT_EQ(two.after(G::Timeout{}), (Lines{"Follow(0)", "Stop(Check)", "Stop(Patience)",
                                              "Set(Timeout, 3ms)", "Send(1, Halt(2))"}));
    EXPECT_EQ(two.after(G::Answer{2, false}, 1),
              (Lines{"Follow(2)", "Set(Timeout, 3ms)", "Send(1, NewCoordinator(3))"}));
    EXPECT_EQ(two.after(G::Answer{3, false}, 1), (Lines{"Set(Timeout, 3ms)", "Send(1, Ready(4))"}));
    EXPECT_EQ(two.after(G::Answer{4, true}, 1), (Lines{"Stop(Timeout)", "Set(Check, 15ms)"}));
    EXPECT_EQ(two.node.status, G::Status::normal);
}

TEST(GarciaMolina, leaves_those_out_who_do_not_answer_the_halt_but_begins_again_later) {
    Actor<G> three(3, 3);
    three.after(Start{});
    three.after(G::Answer{2, false}, 2);
    EXPECT_EQ(three.after(G::Timeout{}),
              (Lines{"Follow(3)", "Set(Timeout, 3ms)", "Send(2, NewCoordinator(3))"}));
    three.after(G::Timeout{});  // 2 died meanwhile
    EXPECT_EQ(three.node.calling, G::Calling::halt);
}

TEST(GarciaMolina, a_halted_node_follows_nobody_until_its_halter_is_coordinator) {
    Actor<G> one(1, 3);
    EXPECT_EQ(one.after(G::Halt{7}, 3),
              (Lines{"Follow(0)", "Stop(Check)", "Stop(Patience)", "Stop(Timeout)",
                     "Set(Patience, 40ms)", "Send(3, Answer(7, no))"}));
    EXPECT_EQ(one.after(G::NewCoordinator{8}, 2), Lines{"Send(2, Answer(8, no))"});
    EXPECT_EQ(one.after(G::NewCoordinator{8}, 3), (Lines{"Follow(3)", "Send(3, Answer(8, no))"}));
    EXPECT_EQ(one.after(G::Ready{9}, 3), Lines{"Send(3, Answer(9, yes))"});
}

TEST(GarciaMolina, a_coordinator_calls_an_election_if_one_is_not_normal) {
    Actor<G> two(2, 2);
    two.node.status = G::Status::normal;
    two.node.coordinator = Id{2};
    EXPECT_EQ(two.after(G::Check{}), (Lines{"Set(Timeout, 3ms)", "Send(1, AreYouNormal(1))"}));
    two.after(G::Answer{1, false}, 1);
    EXPECT_EQ(two.node.calling, G::Calling::halt);
}

TEST(GarciaMolina, a_node_whose_coordinator_is_silent_asks_and_then_calls_an_election) {
    Actor<G> one(1, 2);
    one.node.status = G::Status::normal;
    one.node.coordinator = Id{2};
    EXPECT_EQ(one.after(G::Patience{}), (Lines{"Set(Timeout, 3ms)", "Send(2, AreYouThere(1))"}));
    EXPECT_EQ(one.after(G::Timeout{}), (Lines{"Set(Timeout, 3ms)", "Send(2, AreYouThere(2))"}));
    one.after(G::Timeout{});
    EXPECT_EQ(one.node.status, G::Status::normal) << "alone, and at once";
}

TEST(GarciaMolina, takes_six_messages_for_each_other_node_where_the_best_calls) {
    for (const std::uint32_t nodes : {2u, 5u, 12u}) {
        Scenario scenario = ring_of(nodes, Who::none);
        for (std::uint32_t id = 1; id < nodes; ++id) scenario.starts.push_back({Id{id}, 0ms});
        scenario.until = 10ms;  // before the first check
        const Outcome outcome = run("garcia-molina", scenario);
        EXPECT_EQ(sent(outcome, "Halt") + sent(outcome, "NewCoordinator") + sent(outcome, "Ready"),
                  3 * (nodes - 1));
    }
}

TEST(GarciaMolina, elects_the_best_that_is_left_whatever_crashes_and_comes_back) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Scenario scenario = ring_of(3 + static_cast<std::uint32_t>(seed % 5), Who::none);
        scenario.seed = seed;
        scenario.delay = {simulator::Delay::Shape::uniform, 100us, 1ms};
        const auto id = Id{1 + static_cast<std::uint32_t>(mix(seed) % scenario.nodes)};
        const auto at = std::chrono::microseconds(mix(seed, 1) % 100'000);
        scenario.crashes = {{id, at}};
        if (seed % 2 == 0) scenario.recoveries = {{id, at + 60ms, false}};
        scenario.until = 500ms;
        const Outcome outcome = run("garcia-molina", scenario);
        EXPECT_EQ(outcome.end, Outcome::End::agreed) << seed;
        EXPECT_TRUE(outcome.violations.empty()) << seed << to_json(outcome);
    }
}

}  // namespace garcia_molina_test
}  // namespace conclave
