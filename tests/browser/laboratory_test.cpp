// What a page asks and is answered, without a page.
#include "conclave/browser/laboratory.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::browser {
namespace laboratory_test {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

json ask(const std::string& request) { return json::parse(answer(request)); }
std::string refusal(const std::string& request) {
    return ask(request).value("problem", "no problem");
}

const std::string ring = "\nalgorithm=chang-roberts\nnodes=4\norder=descending\ninitiators=all\n";

TEST(Laboratory, the_list_has_every_algorithm_and_every_word) {
    const json list = ask("list");
    EXPECT_EQ(list["algorithms"].size(), simulator::engines().size());
    EXPECT_EQ(list["words"].size(), simulator::scenario_table().rows().size());
    EXPECT_EQ(list["kinds"].back(), "violation");
}

TEST(Laboratory, a_run_comes_with_every_record_and_with_what_was_predicted) {
    const json run = ask("run" + ring);
    EXPECT_EQ(run["outcome"]["messages"]["total"], 14);
    EXPECT_EQ(run["predicted"]["most"], 14);
    EXPECT_EQ(run["ring"], json::parse("[4,3,2,1]"));
    EXPECT_EQ(run["command"],
              "conclave sim chang-roberts --nodes 4 --initiators all --order descending");
    const std::size_t records = run["time"].size();
    EXPECT_GT(records, 28u);
    for (const char* column : {"kind", "node", "other", "flight", "count", "text"})
        EXPECT_EQ(run[column].size(), records) << column;
}

TEST(Laboratory, a_run_taken_in_pieces_is_the_run_of_the_simulator) {
    for (const simulator::Engine& engine : simulator::engines()) {
        const std::string words = "\nalgorithm=" + std::string(engine.card->name) +
                                  "\ninitiators=all\nloss=0.1\nuntil=200ms\nseed=3\n";
        const json run = ask("run" + words), count = ask("count" + words);
        EXPECT_EQ(run["outcome"], count["outcome"]) << engine.card->name;
    }
}

TEST(Laboratory, rows_of_a_table_are_named_where_they_fire) {
    const json run = ask("run\nalgorithm=nemeth\nnodes=3\nuntil=20ms\n");
    ASSERT_GT(run["rows"].size(), 4u);
    for (const json& entry : run["rows"]) {
        ASSERT_GE(entry.size(), 2u);
        EXPECT_LT(entry[0].get<std::size_t>(), run["time"].size());
    }
}

TEST(Laboratory, a_recording_is_exported_imported_and_run_again) {
    const std::string words = "\nalgorithm=bully\nloss=0.2\nseed=5\noverride=lose 1>2 #1\n";
    const std::string file = ask("export toml" + words)["text"];
    const json imported = ask("import\n" + file);
    std::string again = "count\n";
    for (const json& word : imported["words"])
        again += word[0].get<std::string>() + "=" + word[1].get<std::string>() + "\n";
    EXPECT_THAT(again, HasSubstr("recording=1\n"));
    EXPECT_EQ(ask(again)["outcome"]["messages"], ask("count" + words)["outcome"]["messages"]);
}

TEST(Laboratory, a_failing_run_is_shrunk_to_a_recording) {
    const json shrunk =
        ask("shrink\nalgorithm=chang-roberts\nnodes=6\ninitiators=all\nloss=0.4\nseed=3\n");
    ASSERT_TRUE(shrunk.contains("words")) << shrunk;
    EXPECT_EQ(shrunk["property"], "informed");
    EXPECT_EQ(refusal("shrink" + ring),
              "nothing is violated here, so that there is nothing to shrink");
}

TEST(Laboratory, seeds_are_swept_in_one_thread) {
    const json swept = ask("sweep 1..30" + ring);
    EXPECT_EQ(swept["summary"]["runs"], 30);
    EXPECT_THAT(refusal("sweep 9..1" + ring), StartsWith("seeds cannot be '9..1'"));
}

TEST(Laboratory, nonsense_is_answered_with_one_sentence) {
    EXPECT_EQ(refusal("run\nnodes=5\n"),
              refusal("run\n"));  // no algorithm is named
    EXPECT_THAT(refusal("run\nalgorithm=buly\n"), HasSubstr("did you mean bully?"));
    EXPECT_THAT(refusal("run\nbully\n"), HasSubstr("give word=value"));
    EXPECT_THAT(refusal("run\nalgorithm=bully\nnodes=2000\n"), HasSubstr("at most 1000"));
    EXPECT_THAT(refusal("run\nalgorithm=nemeth\nnodes=60\n"), HasSubstr("more than 400000"));
    EXPECT_THAT(refusal("run\nalgorithm=bully\nrecording=9\n"), HasSubstr("this conclave reads 1"));
    EXPECT_THAT(refusal("import\nnodes = ["), HasSubstr("this is not TOML"));
    EXPECT_THAT(refusal("export pdf" + ring), HasSubstr("choose from txt"));
    EXPECT_THAT(refusal("dance" + ring), HasSubstr("there is no request 'dance'"));
    EXPECT_THAT(refusal(std::string(2'000'000, 'x')), HasSubstr("give at most"));
}

TEST(Laboratory, the_checker_finds_the_shortest_counterexample_and_it_can_be_run) {
    const json found = json::parse(answer_check(
        "check\nalgorithm=chang-roberts\nnodes=3\ninitiators=all\norder=ascending\nlose=1\n"
        "property=leader\n"));
    ASSERT_EQ(found["verdict"]["verdict"], "violated") << found;
    EXPECT_EQ(found["verdict"]["depth"], 4);
    std::string again = "count\n";
    for (const json& word : found["words"])
        again += word[0].get<std::string>() + "=" + word[1].get<std::string>() + "\n";
    EXPECT_EQ(ask(again)["outcome"]["outcome"], "leaderless");
}

TEST(Laboratory, the_checker_refuses_what_it_does_not_know) {
    const auto refused = [](const std::string& words) {
        return json::parse(answer_check("check\n" + words)).value("problem", "no problem");
    };
    EXPECT_THAT(refused("algorithm=bully\nnodes=12\n"), HasSubstr("give at most 9"));
    EXPECT_THAT(refused("algorithm=bully\nloss=0.5\n"), HasSubstr("does not know 'loss'"));
    EXPECT_THAT(refused("algorithm=bully\nlose=many\n"), HasSubstr("from 0 to 15"));
    EXPECT_THAT(refused("algorithm=bully\nproperty=nice\n"), HasSubstr("choose from"));
}

}  // namespace laboratory_test
}  // namespace conclave::browser
