// conclave check as people use it: what it refuses, where it stops and what it prints.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "conclave/checker/checker_engines.hpp"
#include "conclave/checker/properties.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace check_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Check, gives_no_answer_where_the_clock_is_read) {
    EXPECT_THAT(refusal_of("check archimedean"), EndsWith("simulate it: conclave sim archimedean"));
    EXPECT_THAT(refusal_of("check itai-rodeh --nodes 2 --set timing=synchronous --timing bounded"),
                HasSubstr("it reads its clock"));
    EXPECT_EQ(run_tool("check itai-rodeh --nodes 2 --set names=2 --limit-states 100").code, 3);
}

TEST(Check, refuses_options_that_would_make_no_difference) {
    for (const std::string option :
         {"--ticks 3", "--delay-min 0", "--delay-max 2", "--rate-max 2", "--link '1>2=3'"})
        EXPECT_THAT(refusal_of("check bully " + option), EndsWith("give --timing bounded"))
            << option;
    EXPECT_THAT(refusal_of("check lease --timing async"), StartsWith("--timing cannot be 'async'"));
    EXPECT_EQ(refusal_of("check bully --threads 0"),
              "--threads cannot be '0': give a whole number from 1 to 256");
}

TEST(Check, refuses_files_before_it_searches) {
    EXPECT_EQ(refusal_of("check chang-roberts --trace a.xyz"),
              "--trace 'a.xyz' has no form: end it in .txt, .svg, .json, .shiviz or .mmd");
    for (const std::string option : {"record", "states"})
        EXPECT_EQ(refusal_of("check chang-roberts --" + option + " /none/x"),
                  "cannot write '/none/x': name another file with --" + option);
    EXPECT_THAT(refusal_of("check chang-roberts --trace /none/x.txt"), StartsWith("cannot write"));
    const Folder folder;  // nothing is written where there is nothing to tell
    EXPECT_EQ(run_tool("check chang-roberts --record " + folder / "r.toml").code, 0);
    EXPECT_EQ(read_file(folder / "r.toml"), "");
}

TEST(Check, knows_what_was_meant) {
    EXPECT_EQ(refusal_of("check chang"),
              "there is no algorithm 'chang': did you mean chang-roberts?");
    EXPECT_EQ(refusal_of("check leas"), "there is no algorithm 'leas': did you mean lease?");
    EXPECT_THAT(refusal_of("check qqqqqq"),
                EndsWith("yo-yo, lease, roster, cell, formation, member"));
    EXPECT_EQ(refusal_of("sim leas"), refusal_of("list leas"));  // they know of none
}

TEST(Check, names_the_rows_that_never_fire) {
    const std::string line = "check nemeth --timing bounded --ticks 9 --property rows";
    const Ran ran = run_tool(line);
    EXPECT_EQ(ran.code, 1);
    const auto json = nlohmann::json::parse(run_tool(line + " --json").out);
    ASSERT_FALSE(json["rows_missing"].empty());
    EXPECT_THAT(ran.out, HasSubstr("violated: rows: " +
                                   std::to_string(json["rows_missing"].size()) + " rows never"));
    for (const std::string row : json["rows_missing"])
        EXPECT_THAT(ran.out, HasSubstr("\nnever fires: " + row + "\n"));
}

TEST(Check, stops_at_its_limits_however_many_orders_there_are) {
    const std::string line = "check chang-roberts --nodes 7 --order all --no-reduce --json";
    const auto json =
        nlohmann::json::parse(run_tool(line + " --limit-states 20000 --threads 1").out);
    EXPECT_EQ(json["verdict"], "unknown");
    EXPECT_EQ(json["complete"], false);
    EXPECT_LT(json["states"], 40'000);
}

TEST(Check, is_vacuous_where_nobody_was_ever_elected) {
    const std::string line =
        "check tempo --nodes 2 --initiators none --timing bounded --ticks 5 --property one-leader";
    const Ran ran = run_tool(line);
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.out, HasSubstr("vacuous: no property ever had a chance to fail"));
    EXPECT_EQ(nlohmann::json::parse(run_tool(line + " --json").out)["verdict"], "vacuous");
    EXPECT_EQ(run_tool("check chang-roberts").code, 0);
}

TEST(Check, looks_for_runs_without_end_where_the_algorithm_promises_a_leader) {
    const auto looked_at = [](const std::string& line) {
        const auto json = nlohmann::json::parse(run_tool(line + " --json").out);
        return json["properties"].dump();
    };
    EXPECT_THAT(looked_at("check chang-roberts"), HasSubstr("eventually"));
    EXPECT_THAT(looked_at("check chang-roberts --lose 1"), Not(HasSubstr("eventually")));
    EXPECT_THAT(looked_at("check bully"), Not(HasSubstr("eventually")));  // timers fire at any time
    for (const auto& property : checker::known_properties())
        EXPECT_THAT(run_tool("check --help").out, HasSubstr(std::string(property.name)));
}

TEST(Check, ends_with_a_sentence_where_it_outgrows_what_it_can_number) {
    const Ran ran = run_tool("check tempo --nodes 2 --timing bounded --tick 1us");
    EXPECT_EQ(ran.code, 3);
    EXPECT_THAT(ran.out, HasSubstr("a timer takes more than 65533 ticks: give a longer --tick"));
}

TEST(Check, stops_at_its_limits_while_all_start) {
    const Ran ran =
        run_tool("check tempo --timing bounded --ticks 20 --limit-states 1000 --threads 1");
    EXPECT_EQ(ran.code, 3);
    EXPECT_THAT(ran.out, HasSubstr("all nodes can start in more ways than that"));
}

TEST(Check, says_how_large_the_set_is_where_that_means_something) {
    EXPECT_THAT(run_tool("check chang-roberts").out, Not(HasSubstr("bytes a state")));
    const Ran large = run_tool("check chang-roberts --nodes 10 --order descending --no-reduce");
    EXPECT_THAT(large.out, HasSubstr("bytes a state"));
}

TEST(Check, calls_only_the_shortest_counterexample_the_shortest) {
    const std::string line =
        "check multicast --nodes 2 --timing bounded --delay-min 1 --ticks 16 --property one-leader";
    const auto reduced = nlohmann::json::parse(run_tool(line + " --json").out);
    const auto full = nlohmann::json::parse(run_tool(line + " --no-reduce --json").out);
    EXPECT_EQ(reduced["shortest"], true);
    EXPECT_EQ(full["shortest"], true);
    EXPECT_EQ(reduced["counterexample"].back()["time_ns"],
              full["counterexample"].back()["time_ns"]);
    EXPECT_EQ(reduced["counterexample"].size(), full["counterexample"].size());
    const std::string short_limit =
        " --limit-states " + std::to_string(reduced["states"].get<int>());
    const Ran ran = run_tool(line + short_limit);
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.out, HasSubstr("2 nodes: a counterexample"));
}

TEST(Check, changes_rosters_as_planned_and_refuses_plans_that_cannot_be) {
    const Ran ran = run_tool("check roster --nodes 3 --set founders=2 --set changes=-2+3");
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, HasSubstr("8509 states"));
    EXPECT_THAT(run_tool("check roster --nodes 3").err, HasSubstr("names machine 4: there are 3"));
    EXPECT_THAT(run_tool("check roster --set changes=+4,").err, HasSubstr("cannot be '+4,'"));
    EXPECT_THAT(run_tool("check roster --record run.toml").err, HasSubstr("give --trace FILE"));
}

TEST(Check, explores_how_a_group_forms_and_hands_over) {
    const Ran forms = run_tool("check formation --nodes 2 --crashes 1 --recoveries 1");
    EXPECT_EQ(forms.code, 0);
    EXPECT_THAT(forms.out, HasSubstr("formation, 2 nodes: holds"));
    EXPECT_THAT(run_tool("check formation --break used-on-disk").err, HasSubstr("--set hasty=on"));
    const Ran acts = run_tool("check member --nodes 2 --process-faults 1");
    EXPECT_EQ(acts.code, 0);
    EXPECT_THAT(acts.out, HasSubstr("2 nodes: holds"));
    EXPECT_THAT(run_tool("check member --faults-until 40").err, HasSubstr("give a tick after 40"));
    EXPECT_THAT(run_tool("check member --process-faults 1 --process-fault x").err,
                HasSubstr("agent-leaves"));
}

TEST(Check, counts_one_thing_as_one) {
    EXPECT_THAT(run_tool("check bully --nodes 1").out, StartsWith("bully, 1 node: "));
    EXPECT_THAT(run_tool("sim chang-roberts --nodes 1").out, HasSubstr("chang-roberts, 1 node, "));
    EXPECT_THAT(run_tool("sim le-lann --nodes 1").out, HasSubstr("\n1 message ("));
}

}  // namespace check_test
}  // namespace conclave::tests
