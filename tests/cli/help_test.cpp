#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "conclave/simulator/scenario/words.hpp"
#include "conclave/simulator/simulation_engines.hpp"
#include "conclave/wire/envelope.hpp"
#include "tests/paths.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace help_test {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Help, the_tool_says_its_version_and_its_verbs) {
    EXPECT_EQ(run_tool("--version").out,
              "conclave " + std::string(version) + "\ndatagrams of version " +
                  std::to_string(wire::spoken.oldest) + " to " +
                  std::to_string(wire::spoken.newest) +
                  "; algorithms bully, invitation, multicast, nemeth, tempo\n");
    EXPECT_THAT(tool_verbs(), testing::IsSupersetOf({"list", "sim"}));
    EXPECT_EQ(run_tool("").code, 2);
    EXPECT_THAT(run_tool("").err, HasSubstr("usage: conclave VERB"));
}

TEST(Help, sim_explains_every_word) {
    const std::string help = run_tool("sim --help").out;
    for (const options::Row& word : simulator::scenario_table().rows()) {
        if (word.name == "algorithm") continue;
        EXPECT_THAT(help, HasSubstr("--" + std::string(word.name) + " ")) << word.name;
    }
    for (const std::string& line : lines_of(help)) EXPECT_LE(line.size(), 100u) << line;
}

TEST(Help, the_reference_of_scenarios_explains_every_word) {
    const std::string page = read_file(std::string(source_dir) + "/docs/scenarios.md");
    for (const options::Row& word : simulator::scenario_table().rows())
        EXPECT_THAT(page, HasSubstr("`" + std::string(word.name) + "`")) << word.name;
}

TEST(List, every_algorithm_is_there_with_its_card) {
    const std::string table = run_tool("list").out;
    const auto json = nlohmann::json::parse(run_tool("list --json").out);
    ASSERT_EQ(json.size(), simulator::engines().size());
    std::size_t i = 0;
    for (const simulator::Engine& engine : simulator::engines()) {
        const std::string name(engine.card->name);
        EXPECT_THAT(table, HasSubstr(name + " "));
        EXPECT_THAT(table, HasSubstr(std::string(engine.card->paper)));
        EXPECT_EQ(json[i]["name"], name);
        EXPECT_EQ(json[i]["message_types"].size(), engine.messages.size());
        EXPECT_EQ(json[i]["timers"].size(), engine.timers.size());
        EXPECT_EQ(nlohmann::json::parse(run_tool("list --json " + name).out), json[i]);
        const std::string card = run_tool("list " + name).out;
        for (const auto& [key, value] : json[i]["settings"].items())
            EXPECT_THAT(card, HasSubstr("--set " + key + "=" + value.get<std::string>()));
        for (const std::string_view message : engine.messages)
            EXPECT_THAT(card, HasSubstr(std::string(message)));
        ++i;
    }
}

TEST(List, settings_are_accepted_as_they_are_listed) {
    for (const auto& card : nlohmann::json::parse(run_tool("list --json").out)) {
        std::string line = "sim --until 1ms --json " + card["name"].get<std::string>();
        for (const auto& [key, value] : card["settings"].items())
            line += " --set " + key + "=" + value.get<std::string>();
        EXPECT_NE(run_tool(line).code, 2) << line << run_tool(line).err;
    }
}

TEST(List, a_table_is_drawn_for_graphviz_where_there_is_one) {
    for (const simulator::Engine& engine : simulator::engines()) {
        const Ran ran = run_tool("list --dot " + std::string(engine.card->name));
        EXPECT_EQ(ran.code, engine.rows.empty() ? 2 : 0);
        if (engine.rows.empty()) continue;
        EXPECT_THAT(ran.out, StartsWith("digraph "));
        EXPECT_EQ(lines_of(ran.out).size(), engine.rows.size() + 2);
    }
    EXPECT_EQ(run_tool("list --dot").code, 2);
    EXPECT_THAT(run_tool("list buly").err, HasSubstr("did you mean bully?"));
}

}  // namespace help_test
}  // namespace conclave::tests
