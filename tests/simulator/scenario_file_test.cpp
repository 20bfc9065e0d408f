#include "conclave/simulator/scenario/scenario_file.hpp"

#include <gmock/gmock.h>

#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "tests/simulator/random_scenario.hpp"

namespace conclave::simulator {
namespace scenario_file_test {

using testing::StartsWith;

struct Read {
    Scenario scenario;
    std::string problem;
};

Read read(std::string_view text) {
    Read result;
    const options::FileGiven file = read_toml(text, "s.toml");
    result.problem = file.problem.empty() ? tell(result.scenario, file.given) : file.problem;
    return result;
}

TEST(ScenarioFile, any_scenario_written_reads_back_equal) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Scenario scenario = tests::random_scenario(seed, "chang-roberts");
        const Read again = read(to_toml(scenario));
        ASSERT_EQ(again.problem, "") << to_toml(scenario);
        ASSERT_EQ(again.scenario, scenario) << to_toml(scenario);
    }
}

TEST(ScenarioFile, odd_letters_survive) {
    Scenario scenario;
    scenario.algorithm = "chang-roberts";
    scenario.settings = {
        {"a", "quote \" slash \\ bell \a delete \x7f n\xc3\xa9met"}, {"b", "1"}, {"a", "=2"}};
    scenario.seed = ~std::uint64_t{0};
    const Read again = read(to_toml(scenario));
    EXPECT_EQ(again.problem, "");
    EXPECT_EQ(again.scenario, scenario);
}

TEST(ScenarioFile, values_may_be_written_as_toml_likes_them) {
    const Read file = read(R"(
        algorithm = "chang-roberts"
        nodes = 4
        order = [4, 2, 1, 3]
        initiators = [1, 2]
        check = ["best", "agreement"]
        loss = 0.05
        duplicate = "5%"
        drift = 0.25
        same-for-all = true
        fifo = false
        crash = ["1@1s", "2@2s"]
        recover = "1@3s"
        until = "10s"
        [set]
        pace = "2ms"
        repair = true
        count = 3
        [attribute]
        3 = 200
        [link]
        "1>2" = "5ms"
    )");
    EXPECT_EQ(file.problem, "");
    const Scenario& s = file.scenario;
    EXPECT_EQ(format_ids(s.order.ids), "4,2,1,3");
    EXPECT_EQ(format_ids(s.initiators.ids), "1,2");
    EXPECT_EQ(s.loss, s.duplication);
    EXPECT_EQ(s.clocks.drift_ppb, 250);
    EXPECT_TRUE(s.same_for_all);
    EXPECT_EQ(s.fifo, false);
    EXPECT_EQ(s.crashes.size(), 2u);
    EXPECT_EQ(s.recoveries.size(), 1u);
    EXPECT_EQ(s.settings, (std::vector<std::pair<std::string, std::string>>{
                              {"count", "3"}, {"pace", "2ms"}, {"repair", "true"}}));
    EXPECT_EQ(s.attributes, (std::vector<Attribute>{{Id{3}, 200}}));
    EXPECT_EQ(s.links.size(), 1u);
}

TEST(ScenarioFile, mistakes_are_named_with_line_and_column) {
    EXPECT_EQ(read("nodes = 5\ncrahs = '1@1s'\n").problem,
              "s.toml:2:1: there is no option crahs: did you mean crash?");
    EXPECT_EQ(read("nodes = 5\ncrash = ['1@1s', '1']\n").problem,
              "s.toml:2:18: crash cannot be '1': give ID@TIME, such as 3@2s");
    EXPECT_EQ(read("nodes = 1979-05-27\n").problem,
              "s.toml:1:9: nodes cannot be a date or a nested list: give a number or a string");
    EXPECT_EQ(read("order = [[1], [2]]\n").problem,
              "s.toml:1:10: order is a list of single values");
    EXPECT_THAT(read("nodes = \n").problem, StartsWith("s.toml:1:"));
    EXPECT_THAT(read("nodes = 5\nnodes = 6\n").problem,
                StartsWith("s.toml:2:9: this is not TOML: "));
    EXPECT_EQ(read("loss = nan\n").problem,
              "s.toml:1:8: loss cannot be 'nan': give a share from 0 to 1, such as 0.05");
}

std::string complaint(const std::string& text) {
    const options::FileGiven file = read_toml(text, "s.toml");
    Scenario scenario;
    return tell_sound(scenario, file.given);
}

TEST(ScenarioFile, mistakes_that_only_the_whole_shows_have_a_place_too) {
    const std::string bully = "algorithm = 'bully'\nnodes = 4\n";
    EXPECT_EQ(complaint(bully), "");
    EXPECT_THAT(complaint("nodes = 4\nalgorithm = 'bulli'\n"), StartsWith("s.toml:2:13: there is"));
    EXPECT_THAT(complaint(bully + "[set]\ntmeout = '2ms'\n"), StartsWith("s.toml:4:10: "));
    EXPECT_THAT(complaint(bully + "[set]\ntimeout = '2parsecs'\n"), StartsWith("s.toml:4:11: "));
    EXPECT_THAT(complaint(bully + "crash = ['1@1ms', '9@1ms']\n"),
                StartsWith("s.toml:3:19: crash cannot be '9@1ms': there is no node 9"));
    EXPECT_THAT(complaint(bully + "partition = ['1,2/2,3@1ms..2ms']\n"),
                StartsWith("s.toml:3:14: partition cannot be"));
    EXPECT_THAT(complaint(bully + "recover = '2@3ms'\ncrash = '1@1ms'\n"),
                StartsWith("s.toml:3:11: recover cannot be"));
    EXPECT_EQ(complaint(bully + "crash = ['1@2s', '1@1s']\n"),
              "s.toml:3:10: crash cannot be '1@2s': node 1 is down since 1s, recover it before or "
              "crash it once");
    EXPECT_EQ(complaint(bully + "initiators = [2, 2]\n"),
              "s.toml:3:14: initiators cannot be '2,2': node 2 is named twice, name it once");
    EXPECT_THAT(complaint("algorithm = 'bully'\nnodes = 0\n"), StartsWith("s.toml:2:9: nodes"));
    EXPECT_THAT(complaint("nodes = 4\n"), StartsWith("no algorithm is named"));
}

}  // namespace scenario_file_test
}  // namespace conclave::simulator
