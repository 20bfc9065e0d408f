// How the words behind a verb are read.
#include "conclave/cli/verb.hpp"

#include <gmock/gmock.h>

namespace conclave::cli {
namespace command_test {

using testing::ElementsAre;
using Words = std::vector<std::string>;

struct Taken {
    std::string file{};
    Words members{}, rest{};
    std::optional<std::string> nodes{}, wait{};
    bool json = false;
    std::optional<bool> quorum{};
    bool help = false;
};

constexpr options::Option<Taken> taken_options[] = {
    options::argument<&Taken::file>("FILE", "a file"),
    options::often<&Taken::members, options::Text>("member", "members of it").called("NAME"),
    options::once<&Taken::nodes, options::Text>("nodes", "number of nodes").called("COUNT"),
    options::maybe<&Taken::wait, options::Text>("wait", "time to wait").called("DURATION"),
    options::flag<&Taken::json>("json", "print JSON"),
    options::flag<&Taken::quorum>("quorum", "need a majority"),
    options::rest<&Taken::rest>("COMMAND", "command to run"),
};
constexpr options::OptionGroup<Taken> taken_groups[] = {{"", taken_options}};

Taken read(const Words& words) {
    static Taken taken;
    taken = {};
    const Verb verb = make_verb<Taken>({"sim", "tries things"}, taken_groups, [](const Taken& got) {
        taken = got;
        return 0;
    });
    bool help = false;
    Givens given = read_words(verb, words, help);
    if (!help) verb.run(std::move(given));
    taken.help = help;
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
    EXPECT_EQ(refused({"--nodes", "3", "--nodes", "5"}), "--nodes is given twice: leave out one");
}

TEST(CommandLine, a_value_may_begin_with_one_dash_and_with_two_behind_an_equals_sign) {
    EXPECT_EQ(read({"--nodes", "-50ms"}).nodes, "-50ms");
    EXPECT_EQ(read({"--nodes", "-"}).nodes, "-");
    EXPECT_EQ(read({"--nodes=--json"}).nodes, "--json");
    EXPECT_EQ(refused({"--nodes", "--json"}), "--nodes has no value: give COUNT");
    EXPECT_EQ(refused({"--nodes"}), "--nodes has no value: give COUNT");
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
    EXPECT_FALSE(read({"--json=false"}).json);
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
    bool help = false;
    const Verb verb{{"sim", "tries things"}};
    EXPECT_THROW(read_words(verb, Words{"--", "sh"}, help), Refusal);
    EXPECT_THROW(read_words(verb, Words{"word"}, help), Refusal);
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
