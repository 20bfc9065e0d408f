// A table of options: what is read from it, and what is made from it.
#include "conclave/options/option_table.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "conclave/options/toml_file.hpp"

namespace conclave::options {
namespace table_test {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct Plan {
    std::string name{};
    Duration wait = 5s;
    std::uint32_t rounds = 0;
    bool loud = false;
    std::vector<std::string> guests{};
    bool operator==(const Plan&) const = default;
};
constexpr Option<Plan> people[] = {
    once<&Plan::name, Text>("name", "name of the host").called("NAME"),
    often<&Plan::guests, Text>("guest", "name of a guest; may be repeated").called("NAME"),
};
constexpr Option<Plan> times[] = {
    once<&Plan::wait, Span<second>>("wait-for", "time to wait", "5s"),
    once<&Plan::rounds, Count<1, 9>>("rounds", "number of rounds").such_as("3"),
    flag<&Plan::loud>("loud", "make noise"),
};
constexpr OptionGroup<Plan> groups[] = {{"people", people}, {"times", times}};
constexpr Table<Plan> table(groups);

Given on_line(const std::string& name, const std::string& value) {
    return {name, value, "--" + name};
}
std::string refusal(const std::vector<Given>& given) {
    Plan plan;
    return table.read(given, plan, "plan --help lists what there is");
}

TEST(Table, a_field_and_a_row_are_all_that_an_option_needs) {
    Plan plan;
    EXPECT_EQ(table.read({on_line("name", "ann"), on_line("guest", "bob"), on_line("guest", "cy"),
                          on_line("wait-for", "2min"), on_line("loud", "true")},
                         plan, ""),
              "");
    EXPECT_EQ(plan, (Plan{"ann", 2min, 0, true, {"bob", "cy"}}));
}

TEST(Table, what_is_unknown_wrong_or_said_twice_is_refused_with_a_remedy) {
    EXPECT_EQ(refusal({on_line("nmae", "x")}), "there is no option --nmae: did you mean name?");
    EXPECT_EQ(refusal({on_line("speed", "x")}),
              "there is no option --speed: plan --help lists what there is");
    EXPECT_EQ(refusal({on_line("rounds", "10")}),
              "--rounds cannot be '10': give a whole number from 1 to 9");
    EXPECT_EQ(refusal({on_line("name", "a"), on_line("name", "a")}),
              "--name is given twice: leave out one");
    const Given in_file{"nmae", "x", "plan.toml:2:1: nmae", Place::file};
    EXPECT_EQ(refusal({in_file}), "plan.toml:2:1: there is no option nmae: did you mean name?");
}

TEST(Table, the_command_line_wins_over_the_environment_and_that_over_the_file) {
    const Given file{"wait-for", "1s", "f", Place::file};
    const Given variable{"wait-for", "2s", "v", Place::environment};
    const Given line = on_line("wait-for", "3s");
    Plan plan;
    EXPECT_EQ(table.read({line, variable, file}, plan, ""), "");
    EXPECT_EQ(plan.wait, 3s);
    EXPECT_EQ(table.read({variable, file}, plan, ""), "");
    EXPECT_EQ(plan.wait, 2s);
}

TEST(Table, the_environment_has_the_same_names_in_capitals) {
    setenv("CONCLAVE_WAIT_FOR", "9s", 1);
    const auto given = read_environment(table.rows());
    unsetenv("CONCLAVE_WAIT_FOR");
    EXPECT_THAT(given,
                ElementsAre(Given{"wait-for", "9s", "CONCLAVE_WAIT_FOR", Place::environment}));
}

TEST(Table, what_is_written_reads_back_as_the_same) {
    const Plan plan{"ann", 90s, 3, true, {"bob"}};
    Plan again;
    EXPECT_EQ(table.read(table.write(plan, Plan{}), again, ""), "");
    EXPECT_EQ(again, plan);
    EXPECT_TRUE(table.write(Plan{}, Plan{}).empty());
    EXPECT_EQ(table.describe(plan),
              "name = ann\nguest = bob\nwait-for = 90s\nrounds = 3\nloud = true\n");
    EXPECT_EQ(table.describe(Plan{}),
              "name = (none)\nguest = (none)\nwait-for = 5s\nrounds = (none)\nloud = false\n");
}

TEST(TomlFile, keys_are_options_and_every_mistake_has_its_place) {
    const auto rows = table.rows();
    const FileGiven file = read_toml(
        "name = 'ann'\nguest = ['bob', 'cy']\nrounds = 3\nloud = true\n", "plan.toml", rows);
    EXPECT_EQ(file.problem, "");
    Plan plan;
    EXPECT_EQ(table.read(file.given, plan, ""), "");
    EXPECT_EQ(plan, (Plan{"ann", 5s, 3, true, {"bob", "cy"}}));
    EXPECT_EQ(file.given.at(0).where, "plan.toml:2:10: guest");
    EXPECT_THAT(read_toml("name =", "plan.toml", rows).problem,
                testing::StartsWith("plan.toml:1:7: this is not TOML: "));
    EXPECT_EQ(read_toml("[name]\nx = 1\n", "plan.toml", rows).problem,
              "plan.toml:1:2: name cannot be a table: options stand by themselves");
    EXPECT_EQ(read_toml("name = 1979-05-27\n", "plan.toml", rows).problem,
              "plan.toml:1:8: name cannot be a date or a nested list: give a number or a string");
}

TEST(TomlFile, what_is_written_reads_back) {
    const Plan plan{"a \"quoted\" name \x7f", 90s, 3, true, {"bob", "cy"}};
    std::string text;
    table.for_each(
        [&](const Option<Plan>& option) { text += to_toml(option, option.write(plan)); });
    Plan again;
    const FileGiven file = read_toml(text, "plan.toml", table.rows());
    EXPECT_EQ(file.problem, "") << text;
    EXPECT_EQ(table.read(file.given, again, ""), "");
    EXPECT_EQ(again, plan) << text;
}

TEST(TomlFile, a_file_that_is_not_there_is_named) {
    std::string problem;
    read_file("no/such/file.toml", "--config", problem);
    EXPECT_EQ(problem, "--config 'no/such/file.toml' cannot be read: there is no such file");
}

}  // namespace table_test
}  // namespace conclave::options
