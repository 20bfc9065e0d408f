#include "conclave/simulator/world/any_world.hpp"

#include <gtest/gtest.h>

#include "conclave/election/chang_roberts.hpp"
#include "conclave/election/le_lann.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::simulator {
namespace any_world_test {

using namespace std::chrono_literals;

struct Stage {
    Scenario scenario;
    Decisions decisions{1};
    std::unique_ptr<AnyWorld> world;

    explicit Stage(const Scenario& asked)
        : scenario(asked),
          world(find_engine("chang-roberts")->open_world(scenario, decisions, nullptr)) {}
};

Scenario small() {
    Scenario scenario;
    scenario.algorithm = "chang-roberts";
    scenario.nodes = 3;
    scenario.initiators.who = Initiators::Who::all;
    scenario.order.how = Order::How::ascending;
    return scenario;
}

TEST(World, can_be_watched_on_its_way) {
    Stage stage(small());
    stage.world->run_until(2ms);
    EXPECT_TRUE(stage.world->node<ChangRoberts>(Id{3}).participating);
    EXPECT_EQ(stage.world->leader_of(Id{3}), nobody);
    stage.world->run_until(1s);
    EXPECT_EQ(stage.world->leader_of(Id{1}), Id{3});
    EXPECT_TRUE(stage.world->finish().quiet);
}

TEST(World, gives_a_verdict_on_the_present_however_often_it_is_asked) {
    Stage stage(small());
    stage.world->run_until(2ms);
    EXPECT_EQ(stage.world->finish().end, Outcome::End::leaderless);
    EXPECT_FALSE(stage.world->finish().violations.empty()) << "nobody is informed yet";
    stage.world->run_until(1s);
    const Outcome outcome = stage.world->finish();
    EXPECT_EQ(outcome.end, Outcome::End::agreed);
    EXPECT_EQ(outcome.believed.at(Id{3}), 3u);
    EXPECT_TRUE(outcome.violations.empty());
}

TEST(World, lets_messages_wait_for_a_node_that_pauses) {
    Scenario scenario = small();
    scenario.pauses.push_back({Id{1}, {0ms, 50ms}});
    Stage stage(scenario);
    stage.world->run_until(49ms);
    EXPECT_TRUE(stage.world->is_up(Id{1}));
    EXPECT_EQ(stage.world->leader_of(Id{2}), nobody);
    stage.world->run_until(1s);
    EXPECT_EQ(stage.world->leader_of(Id{2}), Id{3});
}

TEST(World, tells_nothing_to_a_node_that_pauses) {
    Scenario scenario = small();
    scenario.initiators.who = Initiators::Who::none;
    scenario.calls.push_back({Id{2}, 10ms});
    scenario.pauses.push_back({Id{2}, {5ms, 50ms}});
    Stage stage(scenario);
    stage.world->run_until(49ms);
    EXPECT_FALSE(stage.world->node<ChangRoberts>(Id{2}).participating);
    stage.world->run_until(1s);
    EXPECT_EQ(stage.world->leader_of(Id{2}), Id{3});
}

TEST(World, forgets_what_waited_for_a_node_that_crashes) {
    Scenario scenario = small();
    scenario.pauses.push_back({Id{1}, {500us, 50ms}});
    scenario.crashes.push_back({Id{1}, 20ms});
    scenario.recoveries.push_back({Id{1}, 30ms});
    scenario.pauses.push_back({Id{1}, {40ms, 45ms}});
    Stage stage(scenario);
    stage.world->run_until(1s);
    EXPECT_TRUE(stage.world->is_up(Id{1}));
    EXPECT_EQ(stage.world->leader_of(Id{2}), nobody);  // the winner's message was lost with it
}

TEST(World, delivers_nothing_to_those_who_are_down) {
    Scenario scenario = small();
    scenario.crashes.push_back({Id{2}, 0ms});
    Stage stage(scenario);
    const Outcome outcome = stage.world->run();
    EXPECT_FALSE(stage.world->is_up(Id{2}));
    EXPECT_LT(outcome.delivered, outcome.copies);
    EXPECT_EQ(outcome.end, Outcome::End::leaderless);
}

TEST(World, starts_late_who_is_said_to) {
    Scenario scenario = small();
    scenario.starts.push_back({Id{2}, 10ms});
    Stage stage(scenario);
    stage.world->run_until(9ms);
    EXPECT_FALSE(stage.world->is_up(Id{2}));
    stage.world->run_until(10ms);
    EXPECT_TRUE(stage.world->is_up(Id{2}));
    EXPECT_TRUE(stage.world->node<ChangRoberts>(Id{2}).participating);  // and called at once
}

TEST(World, shows_the_state_of_a_node_to_those_who_know_its_type) {
    Scenario scenario;
    scenario.algorithm = "chang-roberts";
    scenario.nodes = 3;
    Decisions decisions(1);
    const auto world = find_engine(scenario.algorithm)->open_world(scenario, decisions, nullptr);
    EXPECT_FALSE(world->node<ChangRoberts>(Id{1}).participating);
    world->act_now({{}, Cue::What::crash, Id{2}});
    EXPECT_FALSE(world->is_up(Id{2}));
    EXPECT_DEATH(world->node<LeLann>(Id{1}), "runs this algorithm");
}

}  // namespace any_world_test
}  // namespace conclave::simulator
