// How the words behind a verb are read.
#include "conclave/cli/command.hpp"

#include <gmock/gmock.h>

namespace conclave::cli {
namespace command_test {

using testing::ElementsAre;
using Words = std::vector<std::string>;

struct Taken {
    std::string file;
    Words members, rest;
    std::optional<std::string> nodes, wait;
    bool json = false;
    std::optional<bool> quorum;
    bool help = false;
};

const Verb verb{"sim", "tries things", {"conclave sim"}, nullptr};

Taken read(const Words& words) {
    Taken taken;
    Command command;
    command.argument("FILE", "a file", taken.file);
    command.values("member", "NAME", "who is in it", taken.members);
    command.value("nodes", "N", "how many", taken.nodes);
    command.maybe_value("wait", "D", "how long", taken.wait);
    command.flag("json", "for programs", taken.json);
    command.flag("quorum", "whether", taken.quorum);
    command.rest("COMMAND", "what runs", taken.rest);
    taken.help = !read_command(verb, command, words);
    return taken;
}

std::string refused(const Words& words) {
    try {
        read(words);
    } catch (const Refusal& refusal) {
        EXPECT_EQ(refusal.code, Exit::bad_input);
        return refusal.sentence;
    }
    return "it was taken";
}

TEST(CommandLine, a_value_stands_behind_its_option_or_behind_an_equals_sign) {
    EXPECT_EQ(read({"--nodes", "3"}).nodes, "3");
    EXPECT_EQ(read({"--nodes=3"}).nodes, "3");
    EXPECT_EQ(read({"--nodes=a=b"}).nodes, "a=b");
    EXPECT_EQ(read({"--nodes="}).nodes, "");
    EXPECT_EQ(read({"--nodes", "3", "--nodes", "5"}).nodes, "5");  // the last one counts
}

TEST(CommandLine, a_value_may_begin_with_one_dash_and_with_two_behind_an_equals_sign) {
    EXPECT_EQ(read({"--nodes", "-50ms"}).nodes, "-50ms");
    EXPECT_EQ(read({"--nodes", "-"}).nodes, "-");
    EXPECT_EQ(read({"--nodes=--json"}).nodes, "--json");
    EXPECT_EQ(refused({"--nodes", "--json"}), "--nodes has no value: give N");
    EXPECT_EQ(refused({"--nodes"}), "--nodes has no value: give N");
    EXPECT_EQ(refused({"--member"}), "--member has no value: give NAME");
}

TEST(CommandLine, a_value_that_may_be_left_out_is_empty_then) {
    EXPECT_EQ(read({}).wait, std::nullopt);
    EXPECT_EQ(read({"--wait"}).wait, "");
    EXPECT_EQ(read({"--wait", "--json"}).wait, "");
    EXPECT_EQ(read({"--wait", "3s"}).wait, "3s");
}

TEST(CommandLine, some_options_may_be_given_again_and_again) {
    EXPECT_THAT(read({"--member", "a", "--member=b"}).members, ElementsAre("a", "b"));
}

TEST(CommandLine, a_flag_may_say_true_or_false_and_nothing_else) {
    EXPECT_TRUE(read({"--json"}).json);
    EXPECT_FALSE(read({"--json", "--json=false"}).json);
    EXPECT_EQ(read({}).quorum, std::nullopt);
    EXPECT_EQ(read({"--quorum=false"}).quorum, false);
    EXPECT_EQ(refused({"--json=2"}), "--json cannot be '2': give true or false");
}

TEST(CommandLine, what_stands_behind_two_dashes_is_a_command_of_its_own) {
    const Taken taken = read({"a.toml", "--", "sh", "--help", "--"});
    EXPECT_EQ(taken.file, "a.toml");
    EXPECT_FALSE(taken.help);
    EXPECT_THAT(taken.rest, ElementsAre("sh", "--help", "--"));
    EXPECT_EQ(read({"-"}).file, "-");
}

TEST(CommandLine, a_verb_without_a_command_takes_none) {
    EXPECT_THROW(read_command(verb, Command(), {"--", "sh"}), Refusal);
    EXPECT_THROW(read_command(verb, Command(), {"word"}), Refusal);
}

TEST(CommandLine, help_is_seen_wherever_it_stands) {
    EXPECT_TRUE(read({"--help"}).help);
    EXPECT_TRUE(read({"--json", "-h"}).help);
}

TEST(CommandLine, a_dash_and_a_digit_are_a_negative_number) {
    EXPECT_EQ(read({"-1h"}).file, "-1h");
    EXPECT_EQ(refused({"a", "-1h"}),
              "'-1h' is one word too many: conclave sim --help lists what there is");
}

TEST(CommandLine, what_is_unknown_or_too_much_is_refused_by_its_name) {
    EXPECT_EQ(refused({"--node=3"}), "there is no option --node: did you mean --nodes?");
    EXPECT_EQ(refused({"-x"}), "there is no option -x: conclave sim --help lists what there is");
    EXPECT_EQ(refused({"--FILE", "x"}),
              "there is no option --FILE: conclave sim --help lists what there is");
    EXPECT_EQ(refused({"a", "b"}),
              "'b' is one word too many: conclave sim --help lists what there is");
}

}  // namespace command_test
}  // namespace conclave::cli
