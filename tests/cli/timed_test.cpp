// conclave timed sim: what it prints, draws and refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace timed_test {

using testing::HasSubstr;

const std::string cold_start = "timed sim examples/clocks/convergence.toml";

TEST(Timed, prints_the_story_a_plot_and_the_figures) {
    const Ran ran = run_tool(cold_start);
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, HasSubstr("becomes master"));
    EXPECT_THAT(ran.out, HasSubstr(" us|"));
    EXPECT_THAT(ran.out, HasSubstr("within 100 us of each other from "));
}

TEST(Timed, the_json_has_every_clock_at_every_look) {
    const auto json = nlohmann::json::parse(run_tool(cold_start + " --until 10s --json").out);
    EXPECT_EQ(json["nodes"], 5);
    EXPECT_EQ(json["clocks"].size(), 100u);
    EXPECT_EQ(json["clocks"][99]["offsets_ns"].size(), 5u);
    EXPECT_TRUE(json["clocks"][0]["offsets_ns"][0].is_null()) << "nobody is set yet";
    EXPECT_LE(json["within_100us_at_ns"], 5'000'000'000);
}

TEST(Timed, another_seed_is_another_run) {
    EXPECT_NE(run_tool(cold_start + " --seed 2 --json").out,
              run_tool(cold_start + " --seed 3 --json").out);
}

TEST(Timed, draws_each_node_into_the_svg) {
    const Folder folder;
    EXPECT_EQ(run_tool(cold_start + " --svg " + (folder / "x.svg")).code, 0);
    const std::string svg = read_file(folder / "x.svg");
    EXPECT_THAT(svg, HasSubstr("<svg"));
    EXPECT_THAT(svg, HasSubstr("node 5"));
}

TEST(Timed, waiting_in_vain_says_for_what) {
    const Ran ran = run_tool("timed wait 20ms --control nobody.sock");
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.out, "no time daemon listens on nobody.sock\n");
}

TEST(Timed, refuses_what_it_cannot_do_with_one_sentence) {
    for (const auto& [words, sentence] : std::vector<std::pair<std::string, std::string>>{
             {"timed", "--clock is missing"},
             {"timed --clock sundial", "--clock cannot be 'sundial': choose from system"},
             {"timed --clock none", "--key is missing: make one with conclave keygen"},
             {"timed --clock none --insecure --offset 1ms", "--offset and --drift are for"},
             {"timed nap", "there is no verb 'timed nap': did you mean timed now?"},
             {"timed check --control nobody.sock", "no time daemon listens on nobody.sock"},
             {"timed check --within soon", "--within cannot be 'soon': give a duration"},
             {"timed check --within 1s --within 2s", "--within is given twice: leave out one"},
             {"timed check --clock none",
              "there is no option --clock: conclave timed check --help"},
             {"timed status --within 1s",
              "there is no option --within: conclave timed status --help"},
             {"timed set +3s --count 1", "there is no option --count: conclave timed set --help"},
             {"timed --clock none --insecure --count 3", "there is no option --count"},
             {"timed --clock none --insecure --json", "there is no option --json"},
             {"timed wait soon", "TIMEOUT cannot be 'soon': give a duration"},
             {"timed wait 3", "TIMEOUT cannot be '3': the unit is missing: 3s?"},
             {"timed sim", "timed sim has 0 scenarios: give one"},
             {"timed sim missing.toml", "'missing.toml' cannot be read"},
             {cold_start + " --seed x", "--seed cannot be 'x': give a whole number"},
             {cold_start + " --until 0s", "--until cannot be '0s'"}}) {
        const Ran ran = run_tool(words);
        EXPECT_EQ(ran.code, 2) << words;
        EXPECT_THAT(ran.err, HasSubstr(sentence));
    }
}

}  // namespace timed_test
}  // namespace conclave::tests
