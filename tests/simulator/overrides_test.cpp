// "This seed, but lose that message": single choices of chance made otherwise, by name.
#include <gmock/gmock.h>

#include "conclave/core/text.hpp"
#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/scenario/scenario_file.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "tests/simulator/random_scenario.hpp"

namespace conclave::simulator {
namespace overrides_test {

using trace::Kind;
using trace::Record;
using trace::Trace;

Scenario told(std::vector<options::Given> given) {
    Scenario scenario;
    EXPECT_EQ(tell_sound(scenario, given), "");
    return scenario;
}

Trace run(const Scenario& scenario) {
    Trace trace;
    find_engine(scenario.algorithm)->simulate(scenario, {.trace = &trace});
    return trace;
}

std::string line(const Record& r) {
    return text(r.time) + " " + text(r.kind) + " " + text(r.node) + " " + text(r.other) + " " +
           r.text + " #" + text(r.count);
}

std::vector<std::string> lines(const Trace& trace) {
    std::vector<std::string> all;
    for (const Record& record : trace.records) all.push_back(line(record));
    return all;
}

TEST(Overrides, a_message_is_lost_by_the_name_that_its_record_gives_it) {
    for (const Engine& engine : engines()) {
        Scenario scenario = tests::random_scenario(3, engine.card->name);
        const Trace before = run(scenario);
        const auto sent = std::find_if(before.records.begin(), before.records.end(),
                                       [](const Record& r) { return r.count > 1; });
        ASSERT_NE(sent, before.records.end()) << engine.card->name;
        scenario.overrides[{Purpose::lose, sent->node, sent->other, sent->count}] =
            sent->kind == Kind::lose ? 0 : 1;
        if (sent->kind == Kind::lose) continue;
        const Trace after = run(scenario);
        const auto at = sent - before.records.begin();
        const auto old_lines = lines(before), new_lines = lines(after);
        for (std::ptrdiff_t i = 0; i <= at; ++i)
            ASSERT_EQ(new_lines[static_cast<std::size_t>(i)],
                      old_lines[static_cast<std::size_t>(i)])
                << engine.card->name;
        const Record& next = after.records[static_cast<std::size_t>(at) + 1];
        EXPECT_EQ(next.kind, Kind::lose) << engine.card->name << " " << line(next);
        EXPECT_EQ(next.count, sent->count);
        EXPECT_EQ(next.node, sent->other);
    }
}

TEST(Overrides, what_the_seed_loses_can_be_delivered) {
    std::vector<options::Given> said{{"algorithm", "chang-roberts", {}},
                                     {"loss", "0.5", {}},
                                     {"initiators", "all", {}},
                                     {"seed", "3", {}}};
    const Trace before = run(told(said));
    const auto lost = std::find_if(before.records.begin(), before.records.end(),
                                   [](const Record& r) { return r.kind == Kind::lose; });
    ASSERT_NE(lost, before.records.end());
    said.push_back(
        {"override",
         "deliver " + text(lost->other) + ">" + text(lost->node) + " #" + text(lost->count),
         {}});
    const Trace after = run(told(said));
    const auto gone =
        std::count_if(after.records.begin(), after.records.end(), [&](const Record& r) {
            return r.kind == Kind::lose && r.node == lost->node && r.count == lost->count;
        });
    EXPECT_EQ(gone, 0);
}

TEST(Overrides, a_delayed_and_a_doubled_message_arrive_accordingly) {
    const std::vector<options::Given> ring{
        {"algorithm", "chang-roberts", {}}, {"order", "ascending", {}}, {"initiators", "1", {}}};
    const auto arrivals = [&](const char* override) {
        std::vector<options::Given> said = ring;
        said.push_back({"override", override, {}});
        std::vector<Time> times;
        for (const Record& r : run(told(said)).records)
            if (r.kind == Kind::arrive && r.node == Id{2} && r.text.starts_with("Election(1"))
                times.push_back(r.time);
        return times;
    };
    using namespace std::chrono_literals;
    EXPECT_EQ(arrivals("delay 1>2 #1 = 7ms"), std::vector<Time>{7ms});
    EXPECT_EQ(arrivals("duplicate 1>2 #1 = 2ms"), (std::vector<Time>{1ms, 3ms}));
}

TEST(Overrides, the_calm_after_a_storm_does_not_undo_them) {
    std::vector<options::Given> said{{"algorithm", "tempo", {}},
                                     {"cluster", "true", {}},
                                     {"nodes", "3", {}},
                                     {"storm", "2s", {}},
                                     {"until", "6s", {}}};
    const Trace before = run(told(said));
    const auto late =
        std::find_if(before.records.begin(), before.records.end(), [](const Record& r) {
            return r.kind == Kind::send && r.count != 0 && r.time > std::chrono::seconds(4);
        });
    ASSERT_NE(late, before.records.end());
    said.push_back({"override",
                    "lose " + text(late->node) + ">" + text(late->other) + " #" + text(late->count),
                    {}});
    const Trace after = run(told(said));
    const auto lost =
        std::find_if(after.records.begin(), after.records.end(), [&](const Record& r) {
            return r.kind == Kind::lose && r.other == late->node && r.count == late->count &&
                   r.node == late->other;
        });
    EXPECT_NE(lost, after.records.end());
}

TEST(Overrides, an_overridden_run_is_recorded_with_them_and_replays) {
    for (const Engine& engine : engines())
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            Scenario scenario = tests::random_scenario(seed, engine.card->name);
            const Trace plain = run(scenario);
            for (const Record& r : plain.records)
                if (r.kind == Kind::send && r.count % 5 == 2)
                    scenario.overrides[{Purpose::lose, r.node, r.other, r.count}] = 1;
            ASSERT_EQ(validate(scenario), std::vector<std::string>{});
            const Trace first = run(scenario);
            const Recording recording = record_run(scenario);
            const RecordingFile file = read_recording(to_toml(recording), "r.toml");
            ASSERT_EQ(file.problem, "");
            Trace again;
            replay_run(file.recording, &again);
            ASSERT_EQ(lines(again), lines(first)) << engine.card->name << " " << seed;
        }
}

TEST(Overrides, they_are_words_of_files_and_of_the_command_line) {
    const Scenario scenario = told({{"algorithm", "bully", {}},
                                    {"override", "lose 3>4 #17", {}},
                                    {"override", "delay 1>2 #2 = 5ms", {}}});
    EXPECT_EQ(to_command(scenario),
              "conclave sim bully --override 'delay 1>2 #2 = 5ms' --override "
              "'lose 3>4 #17'");
    const options::FileGiven file = read_toml(to_toml(scenario), "s.toml");
    Scenario back;
    EXPECT_EQ(tell_sound(back, file.given), "");
    EXPECT_EQ(back, scenario);
}

TEST(Overrides, nonsense_is_refused_in_one_sentence) {
    const auto refusal = [](std::vector<options::Given> said) {
        Scenario scenario;
        for (options::Given& each : said) each.where = each.name;
        said.insert(said.begin(), {"algorithm", "bully", {}});
        return tell_sound(scenario, said);
    };
    EXPECT_EQ(refusal({{"override", "loose 3>4 #1", {}}}),
              "override cannot be 'loose 3>4 #1': give a line such as lose 3>4 #17 or delay 3>4 "
              "#2 = 250us");
    EXPECT_EQ(refusal({{"override", "lose 3>9 #1", {}}}),
              "override cannot be 'lose 3>9 #1': ids run from 1 to 5");
    EXPECT_EQ(refusal({{"override", "lose 3>4 #1", {}}, {"override", "deliver 3>4 #1", {}}}),
              "override cannot be 'deliver 3>4 #1': this choice is overridden already, leave one "
              "of them out");
}

TEST(Overrides, a_record_says_which_rows_of_the_table_fired) {
    for (const char* name : {"tempo", "nemeth"}) {
        const Engine& engine = *find_engine(name);
        const Scenario scenario =
            told({{"algorithm", name, {}}, {"until", "1s", {}}, {"nodes", "4", {}}});
        Trace trace;
        const Outcome outcome = engine.simulate(scenario, {.trace = &trace});
        std::uint64_t all = 0;
        std::size_t single = 0;
        for (const Record& record : trace.records) {
            all |= record.rows;
            single += std::popcount(record.rows) == 1 ? 1 : 0;
        }
        EXPECT_NE(outcome.rows_fired, 0u) << name;
        EXPECT_EQ(all, outcome.rows_fired) << name;
        EXPECT_GT(single, 7u) << name;
    }
}

}  // namespace overrides_test
}  // namespace conclave::simulator
