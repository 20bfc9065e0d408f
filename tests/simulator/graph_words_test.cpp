#include "conclave/simulator/scenario/graph_words.hpp"

#include <gtest/gtest.h>

#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::simulator {
namespace graph_words_test {

std::string refusal(std::string_view text) {
    std::string remedy;
    return parse_graph(text, remedy) ? "taken" : remedy;
}
std::string file_refusal(std::string_view text) {
    std::string problem;
    read_graph_file(text, "g.txt", problem);
    return problem;
}

TEST(GraphWords, read_back_as_they_are_written) {
    for (const std::string_view text : {"ring", "line", "star", "complete", "grid", "torus",
                                        "hypercube", "random:3", "random:4:7", "1-2,3-2"}) {
        std::string remedy;
        const auto plan = parse_graph(text, remedy);
        ASSERT_TRUE(plan) << text << remedy;
        EXPECT_EQ(format_graph(*plan), text);
    }
}

TEST(GraphWords, say_what_would_be_right) {
    EXPECT_EQ(refusal("random:0"), "give random:DEGREE with 1 to 1000 links of a node on average");
    EXPECT_EQ(refusal("random:3:x"), "give random:DEGREE:SEED, such as random:3:7");
    EXPECT_EQ(refusal("1-1"), "node 1 has a link to itself, give two nodes");
    EXPECT_EQ(refusal("1-2,2-1"), "the link 2-1 is there twice, give it once");
    EXPECT_EQ(refusal("0-1"), "'0' is no node, give a number from 1 to 10000000");
    EXPECT_EQ(refusal("circle"), "");
}

TEST(GraphWords, of_a_file_are_links_with_comments) {
    std::string problem;
    const GraphPlan plan = read_graph_file("# a line\n1 2\n\n 2\t3 # the last\r\n", "g", problem);
    EXPECT_EQ(problem, "");
    EXPECT_EQ(format_graph(plan), "1-2,2-3");
}

TEST(GraphWords, of_a_file_are_refused_with_their_line) {
    EXPECT_EQ(file_refusal("1 2\n1 2 3\n"),
              "g.txt:2: a link has two nodes, give one link a line, such as 1 2");
    EXPECT_EQ(file_refusal("1 2\n2 x\n"),
              "g.txt:2: 'x' is no node, give a number from 1 to 10000000");
    EXPECT_EQ(file_refusal("1 2\n3 2\n2 1\n"),
              "g.txt:3: the link 2-1 is there twice, give it once");
    EXPECT_EQ(file_refusal("1 2\n4 4\n"), "g.txt:2: node 4 has a link to itself, give two nodes");
    EXPECT_EQ(file_refusal("# none\n"), "g.txt:2: there is no link, give lines such as 1 2");
    EXPECT_EQ(file_refusal("1 99999999999\n"),
              "g.txt:1: '99999999999' is no node, give a number from 1 to 10000000");
}

TEST(GraphWords, of_a_recording_have_the_seed_of_their_graph) {
    Scenario scenario;
    scenario.algorithm = "echo";
    scenario.nodes = 9;
    scenario.seed = 5;
    const Recording recording = record_run(scenario);
    EXPECT_EQ(format_graph(*recording.scenario.graph), "random:3:5");
    EXPECT_EQ(replay_run(recording).messages, find_engine("echo")->simulate(scenario, {}).messages);
}

}  // namespace graph_words_test
}  // namespace conclave::simulator
