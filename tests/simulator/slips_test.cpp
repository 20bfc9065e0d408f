#include "conclave/simulator/scenario/slips.hpp"

#include <gmock/gmock.h>

#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/campaign/shrink.hpp"
#include "conclave/simulator/scenario/validate.hpp"

namespace conclave::simulator {
namespace slips_test {

using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

std::string complaint(std::vector<options::Given> sayings) {
    sayings.push_back({"algorithm", "bully", {}});
    Scenario scenario;
    return tell_sound(scenario, sayings);
}

options::Given crash(const std::string& value) { return {"crash", value, {}}; }
options::Given recover(const std::string& value) { return {"recover", value, {}}; }

TEST(Slips, an_initiator_is_named_once) {
    EXPECT_EQ(complaint({{"initiators", "1,2", {}}}), "");
    EXPECT_EQ(complaint({{"initiators", "2,1,2", {}}}),
              "initiators cannot be '2,1,2': node 2 is named twice, name it once");
}

TEST(Slips, a_node_that_is_down_does_not_crash) {
    EXPECT_EQ(complaint({crash("1@1s"), crash("2@1s")}), "");
    EXPECT_EQ(complaint({crash("1@1s"), recover("1@2s"), crash("1@3s")}), "");
    const std::string twice =
        "crash cannot be '1@2s': node 1 is down since 1s, recover it before or crash it once";
    EXPECT_EQ(complaint({crash("1@1s"), crash("1@2s")}), twice);
    EXPECT_EQ(complaint({crash("1@2s"), crash("1@1s")}), twice);
    EXPECT_EQ(complaint({crash("1@1s"), crash("1@2s"), recover("1@3s")}), twice);
    EXPECT_EQ(complaint({crash("1@1s"), crash("1@2s"), recover("1@2s")}), twice);
}

TEST(Slips, a_node_that_is_up_does_not_recover) {
    EXPECT_EQ(complaint({crash("1@1s"), recover("1@1s")}), "");
    EXPECT_EQ(complaint({crash("1@1s"), recover("1@2s"), recover("1@3s")}),
              "recover cannot be '1@3s': node 1 is not down then, crash it before");
}

TEST(Slips, no_event_is_said_twice) {
    const auto twice = [](const std::string& word, const std::string& value) {
        return complaint({{word, value, {}}, {word, value, {}}});
    };
    EXPECT_EQ(twice("call", "2@1s"), "call cannot be '2@1s': it is said twice, say it once");
    EXPECT_EQ(complaint({{"call", "2@1s", {}}, {"call", "2@2s", {}}, {"call", "1@1s", {}}}), "");
    EXPECT_THAT(twice("start", "2@1s"), HasSubstr("it is said twice"));
    EXPECT_THAT(twice("pause", "2@1s..2s"), HasSubstr("it is said twice"));
    EXPECT_THAT(twice("partition", "1,2/3@1s..2s"), HasSubstr("it is said twice"));
    EXPECT_THAT(twice("cut", "1>2@1s..2s"), HasSubstr("it is said twice"));
    EXPECT_THAT(twice("suspect", "1:2@1s..2s"), HasSubstr("it is said twice"));
}

// A storm that hits a node while it is down, which nobody wrote.
TEST(Slips, what_chance_does_is_recorded_replayed_and_shrunk) {
    Scenario scenario;
    scenario.algorithm = "nemeth";
    scenario.nodes = 3;
    scenario.storm = 5s;
    EXPECT_THAT(find_slips(scenario), IsEmpty());
    std::size_t doubled = 0, failing = 0;
    for (scenario.seed = 1; scenario.seed <= 10; ++scenario.seed) {
        const Recording recording = record_run(scenario);
        if (find_slips(recording.scenario).empty()) continue;
        ++doubled;
        const RecordingFile file = read_recording(to_toml(recording), "r.toml", {});
        ASSERT_EQ(file.problem, "") << scenario.seed;
        EXPECT_EQ(file.recording.scenario, recording.scenario) << scenario.seed;
        EXPECT_EQ(file.recording.decisions, recording.decisions) << scenario.seed;
        const Outcome outcome = replay_run(file.recording);
        if (outcome.violations.empty() || failing > 0) continue;
        ++failing;
        const Shrunk shrunk = shrink(file.recording, {.runs_max = 200});
        EXPECT_EQ(read_recording(to_toml(shrunk.recording), "s.toml", {}).problem, "");
    }
    EXPECT_GT(doubled, 0u);
    EXPECT_GT(failing, 0u);
}

}  // namespace slips_test
}  // namespace conclave::simulator
