// Clocks and machines as a page is told of them, without a page.
#include "conclave/browser/clock_runs.hpp"

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "conclave/browser/laboratory.hpp"
#include "conclave/simulator/time/time_run.hpp"

namespace conclave::browser {
namespace clocks_test {

using nlohmann::json;
using testing::HasSubstr;

const std::string five = "nodes=5\ndrift=50\njitter=exp:10us\nuntil=30s\n";

json ask(const std::string& words) { return json::parse(answer_clocks("clocks\n" + words)); }
std::string refusal(const std::string& words) { return ask(words).value("problem", "none"); }

TEST(Clocks, the_answer_is_that_of_timed_sim) {
    simulator::TimeScenario scenario;
    ASSERT_EQ(read_clocks({{"nodes", "4", "nodes"}, {"until", "20s", "until"}}, scenario), "");
    const json answer = ask("nodes=4\nuntil=20s\n");
    EXPECT_EQ(answer["outcome"], json::parse(to_json(scenario, run_time(scenario))));
    EXPECT_EQ(answer["file"], "nodes = 4\nuntil = \"20s\"\n");
}

TEST(Clocks, every_moment_has_offset_and_bound_of_each_clock_and_the_masters) {
    const json clocks = ask(five)["outcome"]["clocks"];
    ASSERT_EQ(clocks.size(), 30u);
    const json& last = clocks.back();
    EXPECT_EQ(last["leading"].size(), 1u);
    ASSERT_EQ(last["bounds_ns"].size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        const auto apart = std::abs(last["offsets_ns"][i].get<std::int64_t>() -
                                    last["mean_ns"].get<std::int64_t>());
        EXPECT_LT(apart, last["bounds_ns"][i].get<std::int64_t>() + 100'000) << "node " << i + 1;
    }
}

TEST(Clocks, a_killed_master_and_a_broken_clock_are_shown) {
    const json calm = ask(five)["outcome"];
    const auto master = calm["clocks"].back()["leading"][0].get<std::size_t>();
    const json killed = ask(five + "crash=" + std::to_string(master) + "@10s\n")["outcome"];
    EXPECT_NE(killed["clocks"].back()["leading"], json::parse("[" + std::to_string(master) + "]"));
    EXPECT_TRUE(killed["clocks"].back()["offsets_ns"][master - 1].is_null());
    EXPECT_TRUE(killed["clocks"].back()["bounds_ns"][master - 1].is_null());
}

TEST(Clocks, what_is_said_again_means_the_same) {
    const json answer = ask(five + "break=2@10s=500ppm\nlag=1>2=20us\nfreeze=3@5s..6s\n");
    std::string again;
    for (const json& word : answer["words"])
        again += word[0].get<std::string>() + "=" + word[1].get<std::string>() + "\n";
    EXPECT_EQ(ask(again), answer);
    const json read = json::parse(answer_clocks("import\n" + answer["file"].get<std::string>()));
    EXPECT_EQ(read["words"], answer["words"]);
}

TEST(Clocks, what_cannot_be_shown_is_refused_with_a_sentence) {
    EXPECT_THAT(refusal("nodes=500\n"), HasSubstr("the page shows at most 100 clocks"));
    EXPECT_THAT(refusal("nodes=5\nuntil=1000h\n"), HasSubstr("more than 400000 points"));
    EXPECT_THAT(refusal("nodes=5\nnodes=6\n"), HasSubstr("twice"));
    EXPECT_THAT(refusal("jiter=none\n"), HasSubstr("did you mean jitter?"));
    EXPECT_THAT(refusal("algorithm=bully\n"), HasSubstr("always tempo"));
    EXPECT_THAT(refusal("break=7@1s=500ppm\n"), HasSubstr("give 1 to 5"));
    EXPECT_THAT(answer_clocks("dance\n"), HasSubstr("there is no request 'dance'"));
}

TEST(Clocks, the_words_are_those_of_both_tables) {
    const json words = json::parse(answer_clocks("words"))["words"];
    std::map<std::string, int> seen;
    for (const json& word : words) ++seen[word["name"]];
    for (const char* name : {"jitter", "break", "crash", "partition", "drift"})
        EXPECT_EQ(seen[name], 1) << name;
}

// ---------------------------------------------------------------- machines of a cluster

enum Column { records, when, node, agent, guardian, work, amnesiac, token, candidate, lease_ends };
constexpr int promised = 10, promise_ends = 12, grace_ends = 13;

json machines(const std::string& words) {
    return json::parse(answer("run\nalgorithm=bully\ncluster=true\nnodes=3\norder=ascending\n" +
                              words))["machines"];
}

TEST(Machines, a_lease_ends_before_the_promises_that_it_rests_on) {
    std::map<int, json> last;
    std::uint64_t held = 0;
    for (const json& change : machines("until=2s\ndrift=30000\nseed=4\n")) {
        last[change[node]] = change;
        const auto ends = change[lease_ends].get<std::int64_t>();
        if (ends == 0) continue;
        ++held;
        std::vector<std::int64_t> promises;
        for (const auto& [id, state] : last)
            if (state[promised] == change[node]) promises.push_back(state[promise_ends]);
        std::sort(promises.rbegin(), promises.rend());
        ASSERT_GE(promises.size(), 2u) << change;
        EXPECT_LT(ends, promises[1]) << "a majority's: " << change;
    }
    EXPECT_GT(held, 10u);
}

TEST(Machines, a_dead_agent_a_stopping_command_and_a_greater_token_are_told) {
    bool dead = false, stopping = false;
    std::uint64_t first = 0, second = 0;
    for (const json& change : machines("until=2s\nfault=agent-dies:3@700ms\n")) {
        if (change[node] == 3) {
            dead |= change[agent] == 2;
            stopping |= change[work] == 2;
            first = std::max(first, change[token].get<std::uint64_t>());
        } else {
            second = std::max(second, change[token].get<std::uint64_t>());
        }
    }
    EXPECT_TRUE(dead);
    EXPECT_TRUE(stopping);
    EXPECT_GT(second, first);
}

TEST(Machines, a_machine_that_restarts_promises_nothing_new_for_its_grace_period) {
    bool down = false, graced = false;
    for (const json& change : machines("until=2s\ncrash=2@700ms\nrecover=2@900ms\n")) {
        if (change[node] != 2) continue;
        down |= change[agent] == 3 && change[when] == 700'000'000;
        graced |= change[grace_ends].get<std::int64_t>() > 1'200'000'000;
    }
    EXPECT_TRUE(down);
    EXPECT_TRUE(graced);
}

TEST(Machines, other_runs_have_none) {
    EXPECT_TRUE(json::parse(answer("run\nalgorithm=bully\n"))["machines"].empty());
}

}  // namespace clocks_test
}  // namespace conclave::browser
