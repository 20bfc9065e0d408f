#include "conclave/simulator/campaign/recording.hpp"

#include <gmock/gmock.h>

#include "conclave/core/text.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "tests/simulator/random_scenario.hpp"

namespace conclave::simulator {
namespace recording_test {

using testing::HasSubstr;

std::string text_of(const trace::Trace& trace) {
    std::string all = trace.title;
    for (const Id id : trace.nodes) all += " " + text(id);
    for (const trace::Record& r : trace.records)
        all += "\n" + text(r.time) + " " + text(r.kind) + " " + text(r.node) + " " + text(r.other) +
               " " + text(r.flight) + " " + r.text;
    return all;
}

std::string sample(std::string_view decision, int version = recording_version) {
    return "recording = " + std::to_string(version) +
           "\nalgorithm = 'chang-roberts'\norder = 'ascending'\ndecisions = ['" +
           std::string(decision) + "']\n";
}

TEST(Recording, any_run_of_any_algorithm_replays_to_the_same_trace) {
    std::size_t decisions = 0;
    for (const Engine& engine : engines())
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Scenario scenario = tests::random_scenario(seed, engine.card->name);
            trace::Trace first, second;
            DecisionLog decided;
            const Outcome outcome =
                engine.simulate(scenario, {.trace = &first, .record = &decided});
            const Recording recording = make_recording(scenario, decided);
            decisions += recording.decisions.size();

            const RecordingFile file = read_recording(to_toml(recording), "r.toml");
            ASSERT_EQ(file.problem, "") << to_toml(recording);
            ASSERT_EQ(file.recording.scenario, recording.scenario);
            const Outcome again = replay_run(file.recording, &second);
            ASSERT_EQ(text_of(second), text_of(first)) << to_toml(recording);
            ASSERT_EQ(to_json(again), to_json(outcome)) << engine.card->name << " " << seed;
            ASSERT_EQ(again.digest, outcome.digest);
            ASSERT_EQ(replay_run(recording).digest,
                      outcome.digest);  // nor does it hang on the trace
        }
    EXPECT_GT(decisions, 1000u);
}

TEST(Recording, every_kind_of_decision_is_a_line_that_reads_back) {
    const Engine& engine = *find_engine("bully");
    for (const std::string line :
         {"lose 3>4 #17", "delay 3>4 #2 = 250us", "delay 3>all #2 = 250us", "duplicate 3>4 #2 = 0s",
          "duplicate 3>4 #2 = 1ms", "reorder 3>4 #2 = 1ns", "choose 3 #1 = 2", "miss 3:5 #1",
          "notice 3:5 #2 = 5ms", "offset 3 = -5ms", "drift 3 = 20.5", "wander 3 #2 = -0.1"}) {
        const auto decision = parse_decision(line, engine);
        ASSERT_TRUE(decision) << line;
        EXPECT_EQ(format_decision(decision->first, decision->second, engine), line);
    }
    const std::string fire = "fire 3 " + std::string(engine.timers.back()) + " #2 = 5ms";
    const auto decision = parse_decision(fire, engine);
    ASSERT_TRUE(decision);
    EXPECT_EQ(format_decision(decision->first, decision->second, engine), fire);
}

TEST(Recording, a_line_that_is_none_is_refused) {
    const Engine& engine = *find_engine("bully");
    for (const auto* line : {"",
                             "lose",
                             "lose 3>4",
                             "lose 3>4 #0",
                             "lose 3>4 #1 = 1",
                             "lose 3:4 #1",
                             "lose 3 #1",
                             "delay 3>4 #1",
                             "delay 3>4 #1 = -1ms",
                             "delay 3>4 #1 =",
                             "delay 3>4 #1 = 1ms 2ms",
                             "choose 3 = 1",
                             "choose 3 #1 = -1",
                             "fire 3 #1 = 5ms",
                             "fire 3 Nobody #1 = 5ms",
                             "offset 3 #1 = 5ms",
                             "drift 3 = fast",
                             "miss 3>4 #1",
                             "steal 3>4 #1",
                             "lose 3>4 twice #1"})
        EXPECT_FALSE(parse_decision(line, engine)) << line;
}

TEST(Recording, decisions_added_by_hand_count_though_the_odds_are_zero) {
    const RecordingFile file = read_recording(sample("lose 1>2 #1"), "r.toml");
    ASSERT_EQ(file.problem, "");
    EXPECT_EQ(replay_run(file.recording).messages, 1u);  // the only initiator's only message
    const RecordingFile twice = read_recording(sample("duplicate 1>2 #1 = 1ms"), "r.toml");
    EXPECT_EQ(replay_run(twice.recording).delivered, 15u);
    const RecordingFile late = read_recording(sample("delay 1>2 #1 = 1s"), "r.toml");
    EXPECT_EQ(replay_run(late.recording).turnaround, std::chrono::milliseconds(1013));
    const RecordingFile behind = read_recording(sample("reorder 1>2 #1 = 1s"), "r.toml");
    EXPECT_EQ(replay_run(behind.recording).turnaround, std::chrono::milliseconds(1014));
}

TEST(Recording, other_files_versions_and_algorithms_are_refused) {
    EXPECT_EQ(read_recording("nodes = 5\n", "r.toml").problem,
              "r.toml is not a recording: give a file that --record wrote, or use --scenario");
    EXPECT_EQ(read_recording(sample("lose 1>2 #1", 2), "r.toml").problem,
              "r.toml:1:1: recording cannot be '2': this conclave reads 1, record the run anew");
    const std::vector<options::Given> bully{{"algorithm", "bully", {}}};
    EXPECT_EQ(read_recording(sample("lose 1>2 #1"), "r.toml", bully).problem,
              "r.toml is a recording of chang-roberts, not of bully: leave the algorithm out");
    EXPECT_THAT(read_recording(sample("lose 1>2"), "r.toml").problem,
                HasSubstr("decisions cannot have 'lose 1>2': give lines such as"));
    EXPECT_THAT(read_recording(sample("lose 1>9 #1"), "r.toml").problem,
                HasSubstr("'lose 1>9 #1': ids run from 1 to 5"));
    EXPECT_THAT(read_recording("recording = 1\n", "r.toml").problem,
                HasSubstr("no algorithm is named"));
    EXPECT_THAT(read_recording("recording = ", "r.toml").problem, HasSubstr("r.toml:1:"));
}

TEST(Recording, the_command_line_may_add_to_a_recording) {
    const std::vector<options::Given> more{{"until", "1ms", {}}};
    const RecordingFile file = read_recording(sample("lose 1>2 #9"), "r.toml", more);
    EXPECT_EQ(replay_run(file.recording).ended, std::chrono::milliseconds(1));
}

}  // namespace recording_test
}  // namespace conclave::simulator
