#include "conclave/simulator/scenario/words.hpp"

#include <gmock/gmock.h>

#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/simulator/simulation_engines.hpp"
#include "tests/simulator/random_scenario.hpp"

namespace conclave::simulator {
namespace words_test {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::random_scenario;

Scenario told(std::vector<options::Given> sayings, const std::string& algorithm = "chang-roberts") {
    Scenario scenario;
    scenario.algorithm = algorithm;
    EXPECT_EQ(tell(scenario, sayings), "");
    return scenario;
}

std::string refusal(const std::string& word, const std::string& value) {
    Scenario scenario;
    scenario.algorithm = "chang-roberts";
    const std::vector<options::Given> sayings{{word, value, word}};
    std::string problem = tell(scenario, sayings);
    if (!problem.empty()) return problem;
    const auto problems = validate(scenario);
    return problems.empty() ? "" : problems.front();
}

TEST(Words, every_example_is_understood_and_written_back) {
    scenario_table().for_each([](const options::Option<Scenario>& word) {
        const Scenario scenario = told({{std::string(word.name), std::string(word.example), {}}},
                                       word.name == "cluster" ? "bully" : "chang-roberts");
        Scenario again;
        EXPECT_EQ(tell(again, to_given(scenario)), "") << word.name;
        EXPECT_EQ(again, scenario) << word.name;
        const bool usual = word.name == "nodes";  // whose example changes nothing
        EXPECT_EQ(word.write(scenario) == word.write(Scenario{}), usual) << word.name;
    });
}

TEST(Words, any_scenario_told_in_words_is_the_same_scenario) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Scenario scenario = random_scenario(seed, "chang-roberts");
        ASSERT_THAT(validate(scenario), ElementsAre()) << seed;
        Scenario again;
        ASSERT_EQ(tell(again, to_given(scenario)), "") << seed;
        ASSERT_EQ(again, scenario) << to_command(scenario);
    }
}

TEST(Words, a_cluster_is_made_of_an_election_in_whatever_order_it_is_told) {
    const Scenario scenario = told({{"break", "used-on-disk", {}},
                                    {"fault", "agent-dies:2@1s", {}},
                                    {"cluster", "true", {}},
                                    {"mutate", "drop:Promise", {}},
                                    {"algorithm", "tempo", {}}});
    EXPECT_EQ(scenario.algorithm, "cluster-tempo");
    EXPECT_NE(scenario.mutation.rules_off, 0u);
    EXPECT_THAT(validate(scenario), ElementsAre());
    EXPECT_EQ(to_command(scenario),
              "conclave sim tempo --cluster --fault agent-dies:2@1s --break used-on-disk --mutate "
              "drop:Promise");
}

TEST(Words, what_only_a_cluster_has_is_refused_without_one) {
    EXPECT_EQ(refusal("cluster", "true"),
              "cluster cannot be 'true': agents cannot run 'chang-roberts', choose from bully, "
              "invitation, multicast, nemeth, tempo");
    EXPECT_EQ(refusal("fault", "agent-dies:1@1s"),
              "fault cannot be 'agent-dies:1@1s': only a cluster has that, give bully or tempo and "
              "--cluster");
    EXPECT_EQ(refusal("break", "used-on-disk"),
              "break cannot be 'used-on-disk': only a cluster has that, give bully or tempo and "
              "--cluster");
    EXPECT_THAT(refusal("break", "nothing"), HasSubstr("choose from lease-shorter-than-promise"));
}

TEST(Words, a_single_word_is_said_once_in_one_place_and_lists_grow) {
    Scenario scenario;
    scenario.algorithm = "chang-roberts";
    const options::Given three{"nodes", "3", "--nodes"}, four{"nodes", "4", "--nodes"};
    EXPECT_EQ(tell(scenario, std::vector{three, four}), "--nodes is given twice: leave out one");
    const options::Given file{"nodes", "5", "s.toml:1:9: nodes", options::Place::file};
    EXPECT_EQ(tell(scenario, std::vector{four, file}), "");
    EXPECT_EQ(scenario.nodes, 4u);
    EXPECT_EQ(told({{"crash", "1@1s", {}}, {"crash", "2@2s", {}}}).crashes.size(), 2u);
}

TEST(Words, the_algorithm_may_be_named_last) {
    Scenario scenario;
    const std::vector<options::Given> sayings{{"mutate", "drop:Elected", {}},
                                              {"algorithm", "chang-roberts", {}}};
    EXPECT_EQ(tell(scenario, sayings), "");
    EXPECT_EQ(scenario.mutation.what, Mutation::What::drop_send);
    EXPECT_EQ(scenario.mutation.which, 1);
}

TEST(Words, checks_name_all_or_change_some) {
    EXPECT_EQ(told({{"check", "none", {}}}).checks, (Checks{false, false, false, false, false}));
    EXPECT_EQ(told({{"check", "best,agreement", {}}}).checks,
              (Checks{false, true, false, true, false}));
    EXPECT_EQ(told({{"check", "+best,-informed", {}}}).checks,
              (Checks{std::nullopt, true, false, std::nullopt, std::nullopt}));
    EXPECT_THAT(refusal("check", "bset"), HasSubstr("check cannot be 'bset': give"));
}

TEST(Words, a_detector_combines_its_faults) {
    const Detector detector =
        told({{"detector", "late:1ms..5ms,incomplete:0.5,inaccurate:3:2ms", {}}}).detector;
    EXPECT_TRUE(detector.on);
    EXPECT_EQ(format_delay(detector.lateness), "1ms..5ms");
    EXPECT_EQ(format_odds(detector.missed), "0.5");
    EXPECT_EQ(detector.mistakes, 3u);
    EXPECT_EQ(detector.mistaken_for, std::chrono::milliseconds(2));
    EXPECT_FALSE(told({{"detector", "none", {}}}).detector.on);
    EXPECT_TRUE(told({{"detector", "perfect", {}}}).detector.on);
    EXPECT_NE(refusal("detector", "sleepy"), "");
    EXPECT_NE(refusal("detector", "late"), "");
    EXPECT_NE(refusal("detector", "perfect,none"), "");
}

TEST(Words, a_clock_has_an_offset_a_rate_and_a_slowdown) {
    EXPECT_EQ(told({{"clock", "3=-2ms:-50.5", {}}}).node_clocks.front(),
              (NodeClock{Id{3}, std::chrono::milliseconds(-2), -50'500, 1}));
    EXPECT_EQ(told({{"clock", "3=x4", {}}}).node_clocks.front(), (NodeClock{Id{3}, {}, 0, 4}));
    EXPECT_EQ(told({{"clock", "3=1ms:2:x4", {}}}).node_clocks.front(),
              (NodeClock{Id{3}, std::chrono::milliseconds(1), 2'000, 4}));
    EXPECT_NE(refusal("clock", "3=1ms:2:3"), "");
    EXPECT_NE(refusal("clock", "3"), "");
}

TEST(Words, rows_messages_and_timers_are_broken_by_name) {
    EXPECT_EQ(refusal("mutate", "drop:Elect"),
              "mutate cannot be 'drop:Elect': choose from Election, Elected");
    EXPECT_EQ(refusal("mutate", "row:1"),
              "mutate cannot be 'row:1': chang-roberts has no table of rows");
    EXPECT_EQ(refusal("mutate", "drop-set:Foo"),
              "mutate cannot be 'drop-set:Foo': this algorithm has none");
    EXPECT_NE(refusal("mutate", "drop-follow:x"), "");
    for (const Engine& engine : engines()) {
        Scenario scenario;
        scenario.algorithm = engine.card->name;
        for (std::size_t row = 1; row <= engine.rows.size(); ++row) {
            const std::vector<options::Given> sayings{{"mutate", "row:" + std::to_string(row), {}}};
            ASSERT_EQ(tell(scenario, sayings), "");
            EXPECT_EQ(scenario.mutation.rows_off, std::uint64_t{1} << (row - 1));
        }
    }
}

TEST(Words, mistakes_are_one_sentence_with_a_remedy) {
    EXPECT_EQ(refusal("crahs", "1@1s"), "there is no option crahs: did you mean crash?");
    EXPECT_EQ(refusal("loss", "1.5"),
              "loss cannot be '1.5': give a share from 0 to 1, such as 0.05");
    EXPECT_EQ(refusal("crash", "9@2s"),
              "crash cannot be '9@2s': there is no node 9, ids run from 1 to 5");
    EXPECT_EQ(refusal("crash", "2@-2s"),
              "crash cannot be '2@-2s': a time is not negative, give 0s or later");
    EXPECT_EQ(refusal("order", "1,2,3,4,4"),
              "order cannot be '1,2,3,4,4': name every node once, but node 4 is named 2 times");
    EXPECT_EQ(refusal("order", "1,2,3"),
              "order cannot be '1,2,3': name every node once, but node 4 is named never");
    EXPECT_EQ(refusal("partition", "1,2/2@0s.."),
              "partition cannot be '1,2/2@0s..': node 2 can be in one part only");
    EXPECT_EQ(
        refusal("partition", "1,2,3,4,5@0s.."),
        "partition cannot be '1,2,3,4,5@0s..': it divides nothing, give two parts as in 1,2/3");
    EXPECT_EQ(refusal("recover", "2@1s"),
              "recover cannot be '2@1s': node 2 is not down then, crash it before");
    EXPECT_EQ(refusal("pause", "2@2s..1s"),
              "pause cannot be '2@2s..1s': it has to end after it begins");
    EXPECT_EQ(refusal("set", "pace=1"), "there is no setting 'pace': this algorithm has none");
    EXPECT_EQ(refusal("algorithm", "chang-robert"),
              "there is no algorithm 'chang-robert': did you mean chang-roberts?");
}

TEST(Words, what_makes_no_sense_is_refused) {
    const std::vector<std::pair<std::string, std::string>> senseless{
        {"nodes", "0"},
        {"nodes", "20000000"},
        {"nodes", "-1"},
        {"delay", "0s"},
        {"delay", "5ms..1ms"},
        {"delay", "-1ms"},
        {"delay", "20000h"},
        {"delay", "exp:0s"},
        {"link", "1>9=1ms"},
        {"link", "1>2=0s"},
        {"link", "1-2=1ms"},
        {"reorder", "0.1:0s"},
        {"reorder", "0.1:"},
        {"duplicate", "2"},
        {"fifo", "yes"},
        {"start", "0@1s"},
        {"call", "6@1s"},
        {"crash", "1@20000h"},
        {"initiators", "6"},
        {"initiators", "some"},
        {"attribute", "1=2000000000"},
        {"attribute", "9=1"},
        {"cut", "1>1@0s.."},
        {"cut", "1>9@0s.."},
        {"suspect", "1:1@0s.."},
        {"suspect", "9:1@0s.."},
        {"suspect", "1:2@3s..2s"},
        {"offset", "-1ms"},
        {"drift", "-1"},
        {"drift", "600000"},
        {"wander", "600000"},
        {"clock", "9=1ms:0"},
        {"clock", "1=0s:600000"},
        {"clock", "1=x0"},
        {"until", "-1s"},
        {"until", "soon"},
        {"seed", "-1"},
        {"scope", "world"},
        {"detector", "late:-1ms"},
        {"detector", "inaccurate:1:0s"}};
    for (const auto& [word, value] : senseless)
        EXPECT_NE(refusal(word, value), "") << word << " " << value;
}

TEST(Words, a_long_delay_among_many_nodes_cannot_overflow_the_end) {
    Scenario scenario = told({{"nodes", "10000000", {}}, {"delay", "exp:9000h", {}}});
    EXPECT_THAT(validate(scenario).front(), HasSubstr("give a shorter one"));
}

TEST(Words, a_program_is_told_of_mutations_that_do_not_exist) {
    Scenario scenario = told({});
    scenario.mutation = {Mutation::What::drop_send, 2, 0};
    EXPECT_FALSE(validate(scenario).empty());
    scenario.mutation = {Mutation::What::drop_set, 0, 0};
    EXPECT_FALSE(validate(scenario).empty());
    scenario.mutation = {Mutation::What::nothing, 0, 1};
    EXPECT_FALSE(validate(scenario).empty());
}

TEST(Words, a_command_is_quoted_for_the_shell) {
    const Scenario scenario = told({{"cut", "1>2@0s..1s", {}},
                                    {"same-for-all", "true", {}},
                                    {"seed", "7", {}},
                                    {"check", "-best", {}}});
    EXPECT_EQ(
        to_command(scenario),
        "conclave sim chang-roberts --same-for-all --cut '1>2@0s..1s' --check=-best --seed 7");
}

}  // namespace words_test
}  // namespace conclave::simulator
