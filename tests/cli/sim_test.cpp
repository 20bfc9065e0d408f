#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace sim_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

TEST(Sim, the_json_has_every_field) {
    const auto run =
        nlohmann::json::parse(run_tool("sim chang-roberts --order ascending --seed 7 --json").out);
    EXPECT_EQ(run["algorithm"], "chang-roberts");
    EXPECT_EQ(run["nodes"], 5);
    EXPECT_EQ(run["seed"], 7);
    EXPECT_EQ(run["outcome"], "agreed");
    EXPECT_EQ(run["leader"], 5);
    EXPECT_EQ(run["believed"], (nlohmann::json{{"5", 5}}));
    EXPECT_EQ(run["messages"]["total"], 14);
    EXPECT_EQ(run["messages"]["broadcasts"], 0);
    EXPECT_EQ(run["messages"]["copies"], 14);
    EXPECT_EQ(run["messages"]["by_type"], (nlohmann::json{{"Election", 9}, {"Elected", 5}}));
    EXPECT_GT(run["bits"], 0);
    EXPECT_EQ(run["turnaround_ns"], 14'000'000);
    EXPECT_EQ(run["ended_ns"], 14'000'000);
    EXPECT_GT(run["events"], 14);
    EXPECT_EQ(run["violations"], nlohmann::json::array());
}

TEST(Sim, counts_the_messages_of_a_lease_apart) {
    const auto json = nlohmann::json::parse(run_tool("sim bully --cluster --until 2s --json").out);
    EXPECT_GT(json["messages"]["by_type"]["lease-Ask"], 0);
    std::uint64_t sum = 0;
    for (const std::uint64_t count : json["messages"]["by_type"]) sum += count;
    EXPECT_EQ(sum, json["messages"]["total"]);
}

TEST(Sim, the_exit_code_says_whether_all_is_well) {
    EXPECT_EQ(run_tool("sim chang-roberts --json").code, 0);
    EXPECT_EQ(run_tool("sim chang-roberts --loss 1 --json").code, 1);               // nobody leads
    EXPECT_EQ(run_tool("sim chang-roberts --loss 1 --check none --json").code, 1);  // nobody leads
    EXPECT_EQ(run_tool("sim chang-roberts --mutate drop:Elected --json").code, 1);
    EXPECT_EQ(run_tool("sim chang-roberts --loss 1 --seeds 1..3 --json").code, 1);
    EXPECT_EQ(run_tool("sim chang-roberts --seeds 1..3 --json").code, 0);
}

TEST(Sim, a_small_run_is_drawn_and_a_large_one_only_summed_up) {
    const Ran small = run_tool("sim chang-roberts --order ascending");
    EXPECT_THAT(small.out, HasSubstr("Election(5)"));
    EXPECT_THAT(small.out,
                HasSubstr("chang-roberts, 5 nodes, seed 1: all agree on 5\n14 messages"));
    EXPECT_THAT(small.out, Not(HasSubstr("\033")));
    const Ran large = run_tool("sim chang-roberts --nodes 50");
    EXPECT_EQ(lines_of(large.out).size(), 4u) << large.out;
    EXPECT_THAT(large.out,
                StartsWith("too many nodes to draw: give at most 12, or --trace - to see it all\n"
                           "chang-roberts, 50 nodes"));
    EXPECT_THAT(run_tool("sim chang-roberts --nodes 50 --trace -").out, HasSubstr("Election(50)"));
}

TEST(Sim, what_is_too_long_to_draw_says_so_and_how_to_see_it) {
    for (const std::string line :
         {"sim nemeth --nodes 3", "sim bully --nodes 12 --initiators all", "sim tempo --storm 5s",
          "sim tempo --cluster --storm 5s --delay 50us"}) {
        const std::string said = lines_of(run_tool(line).out).front();
        ASSERT_THAT(said, MatchesRegex("too long to draw: --until [0-9.]+[mu]?s shows its "
                                       "beginning, --trace - all of it"))
            << line;
        const std::string remedy = said.substr(18, said.find(" shows") - 18);
        const std::string shown = run_tool(line + " " + remedy).out;
        EXPECT_THAT(shown, HasSubstr("──▶ arrives")) << line << " " << remedy;
        EXPECT_THAT(shown, Not(HasSubstr("too long to draw"))) << line << " " << remedy;
    }
    // Of a run that is short but busy, there may be no beginning worth seeing.
    std::string busy = "sim multicast --nodes 12 --delay 10us --initiators none";
    for (int id = 1; id <= 12; ++id) busy += " --call " + std::to_string(id) + "@1.5ms";
    EXPECT_THAT(run_tool(busy).out, StartsWith("too long to draw: --trace - shows all of it\n"));
    for (const std::string quiet : {" --json", " --trace -", " --until 50ms"})
        EXPECT_THAT(run_tool("sim nemeth --nodes 3" + quiet).out, Not(HasSubstr("to draw")));
}

TEST(Sim, colours_and_progress_are_for_terminals_only) {
    EXPECT_THAT(run_on_terminal("sim chang-roberts").out, HasSubstr("\033["));
    const Ran bar = run_on_terminal("sim chang-roberts --nodes 100 --seeds 1..50");
    EXPECT_THAT(bar.out, HasSubstr("[####"));
    EXPECT_EQ(run_tool("sim chang-roberts --nodes 100 --seeds 1..50").err, "");
    setenv("NO_COLOR", "1", 1);
    EXPECT_THAT(run_on_terminal("sim chang-roberts").out, Not(HasSubstr("\033[")));
    unsetenv("NO_COLOR");
}

TEST(Sim, traces_are_written_by_extension) {
    const Folder folder;
    const std::string line = "sim chang-roberts --json --trace " + folder / "t.txt" + " --trace " +
                             folder / "t.json" + " --trace " + folder / "t.shiviz" + " --trace " +
                             folder / "t.mmd";
    EXPECT_EQ(run_tool(line).code, 0);
    EXPECT_THAT(read_file(folder / "t.txt"), HasSubstr("Election(5)"));
    EXPECT_TRUE(nlohmann::json::parse(read_file(folder / "t.json")).is_object());
    EXPECT_THAT(read_file(folder / "t.shiviz"), HasSubstr("{\""));
    EXPECT_THAT(read_file(folder / "t.mmd"), HasSubstr("sequenceDiagram"));
}

TEST(Sim, the_command_line_overrides_the_file_and_adds_to_it) {
    const Folder folder;
    write_file(folder / "s.toml",
               "algorithm = 'chang-roberts'\nnodes = 4\norder = 'ascending'\ncall = ['2@1s']\n");
    const std::string line = "sim --json --scenario " + folder / "s.toml";
    EXPECT_EQ(nlohmann::json::parse(run_tool(line).out)["nodes"], 4);
    EXPECT_EQ(nlohmann::json::parse(run_tool(line + " --nodes 6").out)["nodes"], 6);
    const auto one = nlohmann::json::parse(run_tool(line).out)["messages"]["total"];
    const auto two =
        nlohmann::json::parse(run_tool(line + " --call 3@2s").out)["messages"]["total"];
    EXPECT_LT(one, two);
    EXPECT_EQ(nlohmann::json::parse(
                  run_tool("sim le-lann --json --scenario " + folder / "s.toml").out)["algorithm"],
              "le-lann");
}

TEST(Sim, a_sweep_prints_one_line_a_seed_and_names_the_first_failure) {
    const Ran ran = run_tool("sim chang-roberts --initiators all --loss 0.05 --seeds 1..40 --json");
    const auto lines = lines_of(ran.out);
    ASSERT_EQ(lines.size(), 41u);
    std::vector<std::uint64_t> failing;
    for (std::size_t i = 0; i < 40; ++i) {
        const auto run = nlohmann::json::parse(lines[i]);
        EXPECT_EQ(run["seed"], i + 1);
        if (run["outcome"] != "agreed" || !run["violations"].empty()) failing.push_back(i + 1);
    }
    ASSERT_FALSE(failing.empty());
    const auto summary = nlohmann::json::parse(lines.back())["summary"];
    EXPECT_EQ(summary["failing_seeds"][0], failing.front());
    const Ran table = run_tool("sim chang-roberts --initiators all --loss 0.05 --seeds 1..40");
    const std::string again =
        "first failure: conclave sim chang-roberts --initiators all --loss 0.05" +
        (failing.front() == 1 ? "" : " --seed " + std::to_string(failing.front()));
    EXPECT_THAT(table.out, HasSubstr(again + "\n"));
    EXPECT_EQ(run_tool(again.substr(24) + " --json").out, lines[failing.front() - 1] + "\n");
}

TEST(Sim, a_sweep_does_not_depend_on_the_number_of_threads) {
    const std::string line =
        "sim bully --delay 1ms..9ms --loss 0.1 --seeds 1..200 --json --threads ";
    const std::string alone = run_tool(line + "1").out;
    EXPECT_EQ(run_tool(line + "2").out, alone);
    EXPECT_EQ(run_tool(line + "5").out, alone);
}

TEST(Sim, a_recorded_run_replays_byte_for_byte) {
    const Folder folder;
    const std::string noisy =
        "sim bully --nodes 6 --delay exp:1ms --loss 0.1 --duplicate 0.1 --reorder 0.1 --detector "
        "late:1ms..5ms,inaccurate:3 --crash 6@5ms --recover 6@50ms --drift 100 --seed 3 --until "
        "200ms";
    const Ran first =
        run_tool(noisy + " --json --trace " + folder / "1.json" + " --record " + folder / "r.toml");
    const Ran second = run_tool("sim --json --replay " + folder / "r.toml" + " --trace " +
                                folder / "2.json" + " --record " + folder / "again.toml");
    EXPECT_EQ(second.out, first.out);
    EXPECT_EQ(second.code, first.code);
    EXPECT_EQ(read_file(folder / "2.json"), read_file(folder / "1.json"));
    EXPECT_EQ(read_file(folder / "again.toml"), read_file(folder / "r.toml"));
    EXPECT_THAT(read_file(folder / "r.toml"), HasSubstr("\"lose "));
}

TEST(Sim, a_failing_run_is_shrunk_drawn_and_written_down) {
    const Folder folder;
    const Ran ran = run_tool(
        "sim chang-roberts --nodes 8 --initiators all --delay 1ms..5ms --loss 0.3 "
        "--seeds 1..100 --shrink " +
        folder / "s.toml");
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.out, HasSubstr("VIOLATION"));
    EXPECT_THAT(ran.out, HasSubstr("again: conclave sim --replay " + folder / "s.toml"));
    const Ran again = run_tool("sim --json --replay " + folder / "s.toml");
    EXPECT_EQ(again.code, 1);
    EXPECT_EQ(nlohmann::json::parse(again.out)["nodes"], 2);
    EXPECT_THAT(run_tool("sim chang-roberts --mutate drop:Elected --shrink").out,
                EndsWith("mutate = \"drop:Elected\"\ndecisions = []\n"));
    const Ran fine = run_tool("sim chang-roberts --shrink");
    EXPECT_EQ(fine.code, 0);
    EXPECT_THAT(fine.err, HasSubstr("nothing is violated"));
    EXPECT_EQ(run_tool("sim chang-roberts --shrink --json").out,
              run_tool("sim chang-roberts --json").out);
}

TEST(Check, refuses_systems_that_are_too_large_to_explore) {
    EXPECT_EQ(
        refusal_of("check bully --nodes 17"),
        "--nodes 17 is too many to look at every behaviour: give at most 16, or conclave sim");
    EXPECT_THAT(refusal_of("check chang-roberts --nodes 64"), HasSubstr("give at most 63"));
    EXPECT_EQ(run_tool("check consensus --nodes 16 --property best --limit-states 10").code, 3);
    EXPECT_EQ(run_tool("check chang-roberts --nodes 63 --limit-states 10").code, 3);
}

TEST(Sim, mistakes_are_one_sentence_and_exit_code_2) {
    EXPECT_EQ(refusal_of("sim buly"), "there is no algorithm 'buly': did you mean bully?");
    EXPECT_THAT(refusal_of("sim"), StartsWith("no algorithm is named: choose from afek-gafni, "));
    EXPECT_EQ(refusal_of("smi"), "there is no verb 'smi': did you mean sim?");
    EXPECT_EQ(refusal_of("sim bully --nodse 3"),
              "there is no option --nodse: did you mean --nodes?");
    EXPECT_EQ(refusal_of("sim bully --nodes"), "--nodes has no value: give COUNT");
    EXPECT_EQ(refusal_of("sim bully 5"),
              "'5' is one word too many: conclave sim --help lists what there is");
    EXPECT_EQ(refusal_of("sim bully --nodes five"),
              "--nodes cannot be 'five': give a whole number from 1 to 100000000");
    EXPECT_EQ(refusal_of("sim bully --offset -5ms"),
              "--offset cannot be '-5ms': give a duration, such as 250ms");
    EXPECT_EQ(refusal_of("sim bully --seeds 9..1"),
              "--seeds cannot be '9..1': put the smaller one first");
    EXPECT_EQ(refusal_of("sim bully --seeds 9"),
              "--seeds cannot be '9': give A..B, such as 1..1000");
    EXPECT_EQ(refusal_of("sim bully --threads 0"),
              "--threads cannot be '0': give a whole number from 1 to 1024");
    EXPECT_EQ(refusal_of("sim bully --trace t.png"),
              "--trace 't.png' has no form: end it in .txt, .svg, .json, .shiviz or .mmd");
    EXPECT_EQ(refusal_of("sim bully --set timeout=soon"),
              "setting timeout cannot be 'soon': give a duration such as 250ms");
    EXPECT_EQ(refusal_of("sim bully --scenario none.toml"),
              "--scenario 'none.toml' cannot be read: there is no such file");
    EXPECT_EQ(refusal_of("sim bully --record /none/r.toml"),
              "--record '/none/r.toml' cannot be written: give a file that can");
}

TEST(Sim, words_that_contradict_each_other_are_refused) {
    EXPECT_EQ(refusal_of("sim bully --seed 1 --seeds 1..2"),
              "--seed cannot go with --seeds: give one or the other");
    EXPECT_NE(refusal_of("sim bully --seeds 1..2 --trace -"), "");
    EXPECT_NE(refusal_of("sim bully --seeds 1..2 --record r.toml"), "");
    EXPECT_NE(refusal_of("sim bully --seeds 1..2 --replay r.toml"), "");
    EXPECT_NE(refusal_of("sim bully --scenario s.toml --replay r.toml"), "");
    EXPECT_NE(refusal_of("sim bully --json --trace -"), "");
    EXPECT_NE(refusal_of("sim bully --record r.toml --shrink s.toml"), "");
    for (const std::string chance : {"--seed 3", "--loss 0.2", "--drift 5"})
        EXPECT_THAT(refusal_of("sim --replay r.toml " + chance),
                    HasSubstr("nothing is left to chance"));
}

TEST(Sim, events_that_contradict_each_other_are_refused) {
    EXPECT_EQ(refusal_of("sim bully --initiators 1,1"),
              "--initiators cannot be '1,1': node 1 is named twice, name it once");
    const std::string twice =
        "crash cannot be '1@2s': node 1 is down since 1s, recover it before or crash it once";
    EXPECT_EQ(refusal_of("sim bully --crash 1@1s --crash 1@2s"), "--" + twice);
    const Folder folder;
    write_file(folder / "s.toml", "algorithm = 'bully'\ncrash = ['1@2s']\n");
    EXPECT_EQ(refusal_of("sim --scenario " + folder / "s.toml" + " --crash 1@1s"),
              folder / "s.toml" + ":2:10: " + twice);
    write_file(folder / "t.toml", "nodes = 3\ncrash = ['1@1s', '1@2s']\nuntil = '60s'\n");
    EXPECT_EQ(refusal_of("timed sim " + folder / "t.toml"), twice);
}

TEST(Sim, a_recording_is_no_scenario_and_a_scenario_no_recording) {
    const Folder folder;
    EXPECT_EQ(run_tool("sim chang-roberts --json --record " + folder / "r.toml").code, 0);
    EXPECT_THAT(refusal_of("sim --scenario " + folder / "r.toml"),
                EndsWith("is a recording: use --replay"));
    write_file(folder / "s.toml", "algorithm = 'bully'\n");
    EXPECT_THAT(refusal_of("sim --replay " + folder / "s.toml"), HasSubstr("is not a recording"));
    EXPECT_THAT(refusal_of("sim bully --replay " + folder / "r.toml"),
                HasSubstr("is a recording of chang-roberts, not of bully"));
    write_file(folder / "e.toml", "");
    EXPECT_EQ(run_tool("sim bully --json --scenario " + folder / "e.toml").code, 0);
    EXPECT_THAT(refusal_of("sim bully --scenario " + folder / ""), HasSubstr("cannot be read"));
    write_file(folder / "u.toml", "algorithm = 'bully'\nnodes = 5\ncrahs = '1@1s'\n");
    EXPECT_THAT(refusal_of("sim --scenario " + folder / "u.toml"),
                EndsWith("u.toml:3:1: there is no option crahs: did you mean crash?"));
}

}  // namespace sim_test
}  // namespace conclave::tests
