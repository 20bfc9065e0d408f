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

TEST(Laboratory, a_run_on_a_graph_has_its_links) {
    const json run = ask("run\nalgorithm=echo\nnodes=4\norder=descending\ngraph=star\n");
    EXPECT_EQ(run["links"], json::parse("[[4,3],[4,2],[4,1]]"));
    EXPECT_EQ(ask("run" + ring)["links"], json::array());
}

// What is sent after a moment, and the paper's number for it.
std::pair<std::uint64_t, json> count_since(const std::string& moment, const std::string& words) {
    const json answer = ask("count " + moment + "\n" + words);
    const auto total = [&](const char* name) {
        return answer[name]["messages"]["total"].get<std::uint64_t>();
    };
    return {total("outcome") - total("before"), answer["predicted"]};
}

TEST(Laboratory, an_election_after_the_leaders_death_takes_what_its_paper_states) {
    const std::string tempo =
        "algorithm=tempo\nnodes=4\norder=ascending\ninitiators=none\nset=startup-range=0s\n"
        "start=2@105ms\nstart=3@110ms\nstart=4@115ms\ncrash=1@2s\nuntil=2500ms\n";
    const auto [three, stated] = count_since("2099ms", tempo + "call=3@2100ms\n");
    EXPECT_EQ(three, 8u);  // 3N - 1
    EXPECT_EQ(stated, json::parse(R"({"least":8,"most":8})"));
    const std::string nemeth =
        "algorithm=nemeth\nnodes=6\norder=ascending\ninitiators=none\ncrash=1@20500us\n"
        "until=26500us\ncall=2@20600us\n";
    const auto [one, of_one] = count_since("20550us", nemeth);
    EXPECT_EQ(one, 17u);  // 1 + 4 for the candidate, 3 * 4
    EXPECT_EQ(of_one["most"], 17);
    const auto [two, of_two] = count_since("20550us", nemeth + "call=3@20600us\n");
    EXPECT_EQ(two, 22u);
    EXPECT_EQ(of_two["most"], 22);
}

TEST(Laboratory, a_number_is_stated_only_for_the_runs_that_it_is_about) {
    const std::string nemeth =
        "algorithm=nemeth\nnodes=6\ninitiators=none\nuntil=26500us\ncrash=1@20500us\n";
    const auto predicted = [&](const std::string& more) {
        return ask("count 20550us\n" + nemeth + more)["predicted"];
    };
    EXPECT_FALSE(predicted("call=2@20600us\n").is_null());
    EXPECT_TRUE(predicted("call=2@20ms\n").is_null());               // before they miss it
    EXPECT_TRUE(predicted("call=2@20600us\nloss=0.1\n").is_null());  // messages are lost
    EXPECT_TRUE(predicted("call=2@20600us\ncrash=3@21ms\n").is_null());
    EXPECT_TRUE(ask("count\n" + nemeth)["predicted"].is_null());
    EXPECT_TRUE(ask("count\nalgorithm=bully\ncrash=5@1ms\ninitiators=1\n")["predicted"].is_null());
    EXPECT_TRUE(ask("count\nalgorithm=archimedean\ndelay=exp:1ms\n")["predicted"].is_null());
    EXPECT_GT(ask("count\nalgorithm=archimedean\ndelay=9ms\n")["predicted"]["most"],
              ask("count\nalgorithm=archimedean\n")["predicted"]["most"]);
    EXPECT_THAT(refusal("count soon\n" + nemeth), StartsWith("count cannot begin at 'soon'"));
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
