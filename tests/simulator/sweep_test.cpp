#include "conclave/simulator/campaign/sweep.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "conclave/simulator/simulation_engines.hpp"
#include "tests/simulator/random_scenario.hpp"

namespace conclave::simulator {
namespace sweep_test {

using testing::ElementsAre;

Scenario noisy() {
    Scenario scenario;
    scenario.algorithm = "chang-roberts";
    scenario.nodes = 8;
    scenario.initiators.who = Initiators::Who::all;
    scenario.delay = {Delay::Shape::exponential, std::chrono::milliseconds(1), {}};
    scenario.loss = {std::uint64_t{1} << 27};  // one in 32
    return scenario;
}

std::string transcript(unsigned threads, const Seeds& seeds) {
    std::string all;
    SweepPlan plan;
    plan.seeds = seeds;
    plan.threads = threads;
    plan.each = [&](const Outcome& outcome) {
        all += to_json(outcome) + "\n";
        return true;
    };
    const Summary summary = sweep(noisy(), plan);
    return all + to_json(summary) + "\n" + summarise(summary);
}

TEST(Sweep, results_do_not_depend_on_the_number_of_threads) {
    const Seeds seeds{100, 2'600};  // more than may wait for a slow one
    const std::string alone = transcript(1, seeds);
    EXPECT_EQ(transcript(2, seeds), alone);
    EXPECT_EQ(transcript(7, seeds), alone);
}

TEST(Sweep, every_seed_is_run_once_and_reported_in_order) {
    std::vector<std::uint64_t> reported, progress;
    SweepPlan plan{{3, 6},
                   3,
                   [&](const Outcome& o) { return reported.push_back(o.seed), true; },
                   [&](std::uint64_t done) { progress.push_back(done); }};
    const Summary summary = sweep(noisy(), plan);
    EXPECT_THAT(reported, ElementsAre(3, 4, 5, 6));
    EXPECT_THAT(progress, ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(summary.runs, 4u);
    Scenario third = noisy();
    third.seed = 5;
    EXPECT_EQ(summary.messages.count(), 4u);
    EXPECT_EQ(find_engine("chang-roberts")->simulate(third, {}).seed, 5u);
}

TEST(Sweep, it_stops_when_told_to) {
    SweepPlan plan{{1, 1'000'000'000}, 2, [](const Outcome& o) { return o.seed < 10; }};
    EXPECT_EQ(sweep(noisy(), plan).runs, 10u);
}

TEST(Sweep, failures_are_counted_and_the_first_ones_named) {
    SweepPlan plan{{1, 200}, 2};
    std::vector<std::uint64_t> failing;
    plan.each = [&](const Outcome& outcome) {
        if (!succeeded(outcome)) failing.push_back(outcome.seed);
        return true;
    };
    const Summary summary = sweep(noisy(), plan);
    ASSERT_GT(failing.size(), 10u);
    ASSERT_LT(failing.size(), 200u);
    EXPECT_EQ(summary.failures, failing.size());
    failing.resize(10);
    EXPECT_EQ(summary.failing, failing);
    const auto json = nlohmann::json::parse(to_json(summary))["summary"];
    EXPECT_EQ(json["failing_seeds"], failing);
    EXPECT_EQ(json["outcomes"]["agreed"].get<std::uint64_t>() + summary.failures, 200u);
    EXPECT_EQ(json["violations"]["informed"], summary.violated.at("informed"));
    EXPECT_LE(json["messages"]["min"], json["messages"]["interval"][0]);
    EXPECT_LE(json["messages"]["interval"][0], json["messages"]["mean"]);
    EXPECT_LE(json["messages"]["mean"], json["messages"]["interval"][1]);
    EXPECT_LE(json["messages"]["interval"][1], json["messages"]["max"]);
}

TEST(Statistics, mean_deviation_and_interval_are_those_of_the_textbook) {
    Sample sample;
    EXPECT_EQ(sample.mean(), 0);
    for (const std::int64_t value : {2, 4, 4, 4, 5, 5, 7, 9}) sample.add(value);
    EXPECT_EQ(sample.count(), 8u);
    EXPECT_DOUBLE_EQ(sample.mean(), 5);
    EXPECT_DOUBLE_EQ(sample.deviation(), std::sqrt(32.0 / 7));
    EXPECT_DOUBLE_EQ(sample.margin(), 2.576 * std::sqrt(32.0 / 7) / std::sqrt(8.0));
    EXPECT_EQ(sample.least(), 2);
    EXPECT_EQ(sample.most(), 9);
}

TEST(Statistics, one_value_has_no_spread_and_large_ones_lose_no_digits) {
    Sample sample;
    sample.add(-3);
    EXPECT_EQ(sample.mean(), -3);
    EXPECT_EQ(sample.margin(), 0);
    EXPECT_EQ(sample.most(), -3);
    Sample large;
    for (const std::int64_t value : {1, 2, 3}) large.add(1'000'000'000'000 + value);
    EXPECT_DOUBLE_EQ(large.deviation(), 1);
}

}  // namespace sweep_test
}  // namespace conclave::simulator
