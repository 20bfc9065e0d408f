#include "conclave/simulator/campaign/shrink.hpp"

#include <gmock/gmock.h>

#include "conclave/simulator/campaign/smaller.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/simulator/scenario/words.hpp"
#include "tests/simulator/random_scenario.hpp"

namespace conclave::simulator {
namespace shrink_test {

using testing::ElementsAre;

Scenario told(std::vector<options::Given> sayings) {
    Scenario scenario;
    EXPECT_EQ(tell(scenario, sayings), "");
    EXPECT_THAT(validate(scenario), ElementsAre());
    return scenario;
}

bool violates(const Outcome& outcome, const std::string& property) {
    return std::any_of(outcome.violations.begin(), outcome.violations.end(),
                       [&](const Violation& v) { return v.property == property; });
}

TEST(Minimise, finds_the_few_that_matter_among_many) {
    std::size_t tests = 0;
    const auto kept = minimise(1000, [&](const Places& places) {
        ++tests;
        return std::binary_search(places.begin(), places.end(), 17u) &&
               std::binary_search(places.begin(), places.end(), 800u) &&
               std::binary_search(places.begin(), places.end(), 801u);
    });
    EXPECT_THAT(kept, ElementsAre(17, 800, 801));
    EXPECT_LT(tests, 200u);
}

TEST(Minimise, of_what_is_left_nothing_can_go) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        // Fails whenever at least three places of a random set are there: many different minima.
        const auto wanted = [&](std::size_t place) { return mix(seed, place) % 3 == 0; };
        const auto fails = [&](const Places& places) {
            return std::count_if(places.begin(), places.end(), wanted) >= 3;
        };
        EXPECT_EQ(minimise(30, fails).size(), 3u) << seed;
    }
    EXPECT_THAT(minimise(0, [](const Places&) { return true; }), ElementsAre());
    EXPECT_THAT(minimise(5, [](const Places&) { return true; }), ElementsAre());
    EXPECT_THAT(minimise(1, [](const Places& p) { return !p.empty(); }), ElementsAre(0));
}

TEST(Smaller, a_scenario_without_a_node_renumbers_everything) {
    Recording recording;
    recording.scenario = told({{"algorithm", "chang-roberts", {}},
                               {"nodes", "4", {}},
                               {"order", "4,2,1,3", {}},
                               {"initiators", "2,3", {}},
                               {"crash", "2@1s", {}},
                               {"crash", "4@1s", {}},
                               {"cut", "1>2@0s..", {}},
                               {"cut", "1>3@0s..", {}},
                               {"suspect", "3:4@0s..", {}},
                               {"partition", "1,2/3,4@0s..", {}},
                               {"partition", "2/1,3,4@0s..", {}},
                               {"link", "3>4=5ms", {}},
                               {"attribute", "3=7", {}}});
    recording.decisions[{Purpose::lose, Id{3}, Id{4}, 1}] = 1;
    recording.decisions[{Purpose::lose, Id{2}, Id{4}, 1}] = 1;
    recording.decisions[{Purpose::fire, Id{3}, Id{2}, 1}] = 5;  // its timer 2, not node 2
    const Recording smaller = without_node(recording, Id{2});
    EXPECT_EQ(
        to_command(smaller.scenario),
        "conclave sim chang-roberts --nodes 3 --initiators 2 --order 3,1,2 --attribute 2=7 "
        "--link '2>3=5ms' --crash 3@1s --partition 1/2,3@0s.. --cut '1>2@0s..' --suspect 2:3@0s..");
    EXPECT_EQ(smaller.decisions, (DecisionLog{{{Purpose::lose, Id{2}, Id{3}, 1}, 1},
                                              {{Purpose::fire, Id{2}, Id{2}, 1}, 5}}));
}

TEST(Smaller, a_random_scenario_stays_valid_when_nodes_and_faults_go) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Recording recording{tests::random_scenario(seed, "chang-roberts"), {}};
        recording.scenario = name_initiators(recording.scenario);
        while (recording.scenario.nodes > 2) {
            recording = without_node(
                recording, Id{1 + static_cast<std::uint32_t>(seed) % recording.scenario.nodes});
            ASSERT_THAT(validate(recording.scenario), ElementsAre()) << seed;
        }
        EXPECT_THAT(validate(keep_items(recording.scenario, {})), ElementsAre()) << seed;
        EXPECT_EQ(count_items(keep_items(recording.scenario, {})), 0u);
    }
}

TEST(Shrink, one_lost_message_is_left_of_many_losses_and_faults) {
    const Scenario scenario = told({{"algorithm", "chang-roberts", {}},
                                    {"nodes", "8", {}},
                                    {"initiators", "all", {}},
                                    {"delay", "1ms..5ms", {}},
                                    {"loss", "0.4", {}},
                                    {"duplicate", "0.2", {}},
                                    {"reorder", "0.2", {}},
                                    {"pause", "3@2ms..9ms", {}},
                                    {"pause", "5@1ms..4ms", {}},
                                    {"call", "2@7ms", {}},
                                    {"suspect", "2:3@1ms..", {}},
                                    {"drift", "100", {}},
                                    {"seed", "1", {}}});
    const Recording failing = record_run(scenario);
    ASSERT_TRUE(violates(replay_run(failing), "informed"));
    const Shrunk shrunk = shrink(failing);
    EXPECT_TRUE(shrunk.complete);
    EXPECT_EQ(shrunk.property, "informed");
    EXPECT_EQ(shrunk.recording.scenario.nodes, 2u);
    EXPECT_EQ(shrunk.recording.decisions.size(), 1u);
    EXPECT_EQ(shrunk.recording.decisions.begin()->first.purpose, Purpose::lose);
    EXPECT_EQ(count_items(shrunk.recording.scenario), 1u);  // somebody has to call
    EXPECT_FALSE(shrunk.recording.scenario.loss.possible());
    EXPECT_EQ(shrunk.recording.scenario.delay.shape, Delay::Shape::constant);
    EXPECT_TRUE(violates(replay_run(shrunk.recording), "informed"));
}

TEST(Shrink, what_is_left_keeps_the_property_that_was_violated) {
    std::uint32_t shrunk_runs = 0;
    for (const Engine& engine : engines())
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            const Recording failing = record_run(tests::random_scenario(seed, engine.card->name));
            const Outcome before = replay_run(failing);
            if (before.violations.empty()) continue;
            ++shrunk_runs;
            const Shrunk shrunk = shrink(failing, {.runs_max = 3000});
            const std::string property = before.violations.front().property;
            EXPECT_EQ(shrunk.property, property);
            EXPECT_TRUE(violates(shrunk.outcome, property));
            EXPECT_LE(shrunk.recording.scenario.nodes, failing.scenario.nodes);
            const RecordingFile file = read_recording(to_toml(shrunk.recording), "r.toml");
            ASSERT_EQ(file.problem, "");
            EXPECT_EQ(to_json(replay_run(file.recording)), to_json(shrunk.outcome));
            EXPECT_LE(shrunk.runs, 3000u);
        }
    EXPECT_GT(shrunk_runs, 10u);
}

TEST(Shrink, it_is_deterministic_and_done_when_it_says_so) {
    const Recording failing = record_run(tests::random_scenario(3, "chang-roberts"));
    if (replay_run(failing).violations.empty()) GTEST_FAIL() << "choose another seed";
    const Shrunk once = shrink(failing), twice = shrink(failing);
    EXPECT_EQ(to_toml(once.recording), to_toml(twice.recording));
    EXPECT_EQ(once.runs, twice.runs);
    ASSERT_TRUE(once.complete);
    const Shrunk again = shrink(once.recording);
    EXPECT_EQ(to_toml(again.recording), to_toml(once.recording));
}

TEST(Shrink, it_stops_at_the_limit) {
    const Recording failing = record_run(tests::random_scenario(3, "chang-roberts"));
    const Shrunk shrunk = shrink(failing, {.runs_max = 5});
    EXPECT_FALSE(shrunk.complete);
    EXPECT_LE(shrunk.runs, 5u);
    EXPECT_TRUE(violates(shrunk.outcome, shrunk.property));
}

TEST(Shrink, a_broken_algorithm_is_shown_with_its_fewest_nodes) {
    const Scenario scenario = told({{"algorithm", "chang-roberts", {}},
                                    {"nodes", "9", {}},
                                    {"initiators", "all", {}},
                                    {"delay", "exp:1ms", {}},
                                    {"mutate", "drop:Elected", {}}});
    const Shrunk shrunk = shrink(record_run(scenario));
    EXPECT_EQ(shrunk.property, "informed");
    EXPECT_EQ(shrunk.recording.scenario.nodes, 2u);
    EXPECT_TRUE(shrunk.recording.decisions.empty());
    EXPECT_EQ(shrunk.recording.scenario.initiators.ids.size(), 1u);
    EXPECT_TRUE(shrunk.outcome.quiet);  // not merely cut off
}

}  // namespace shrink_test
}  // namespace conclave::simulator
