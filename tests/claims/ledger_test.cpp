// Every row of the ledger under every reading, at the size for every commit; and which of them the
// code refutes is no accident.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>

#include "conclave/claims/row_readings.hpp"
#include "conclave/simulator/scenario/readings.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::claims {

namespace ledger_test {

struct Asked {
    Claim claim;
    Settings reading;
};

// A test's name must not tell where the claim lies in memory.
void PrintTo(const Asked& asked, std::ostream* out) {
    *out << asked.claim.id << " " << name_reading(asked.reading);
}

// Refuted under every reading.
constexpr std::array<std::string_view, 11> findings{"T5",  "T7", "T9", "N2", "N4", "N5",
                                                    "N11", "V2", "V3", "V5", "V11"};
// Refuted under the readings that contain this one only.
const std::map<std::string_view, std::string> depending{{"T2", "at-startup=drop"},
                                                        {"B5", "news=last"},
                                                        {"V7", "zero=printed"},
                                                        {"X1", "proposals=all-0"}};

Status status_expected(const Asked& asked) {
    const std::string_view id = asked.claim.id;
    if (std::find(findings.begin(), findings.end(), id) != findings.end()) return Status::finding;
    const auto found = depending.find(id);
    const bool refuted = found != depending.end() &&
                         name_reading(asked.reading).find(found->second) != std::string::npos;
    return refuted ? Status::finding : Status::pass;
}

std::vector<Asked> all_asked() {
    std::vector<Asked> all;
    for (const Claim& claim : all_claims())
        for (const Settings& reading : readings_for(claim)) all.push_back({claim, reading});
    return all;
}

class Ledger : public testing::TestWithParam<Asked> {};

TEST_P(Ledger, row_is_as_the_documentation_says) {
    const auto& [claim, reading] = GetParam();
    const Result result = claim.run({.quick = true, .threads = 1, .reading = reading});
    EXPECT_EQ(result.status, status_expected(GetParam()))
        << claim.id << ": expected " << result.expected << ", measured " << result.measured;
}

INSTANTIATE_TEST_SUITE_P(Each, Ledger, testing::ValuesIn(all_asked()), [](const auto& row) {
    std::string name(row.param.claim.id);
    for (const auto& [setting, value] : row.param.reading) name += "_" + setting + "_" + value;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

// ---------------------------------------------------------------- readings

TEST(Readings, of_an_algorithm_start_with_its_default) {
    for (const simulator::Engine& engine : simulator::engines()) {
        std::string_view last;
        for (const Reading& reading : simulator::readings_named(engine.card->name)) {
            const std::string pair =
                std::string(reading.setting) + "=" + std::string(reading.value);
            EXPECT_FALSE(reading.sentence.empty()) << pair;
            simulator::Scenario scenario;
            scenario.settings = {{std::string(reading.setting), std::string(reading.value)}};
            EXPECT_EQ(engine.settings_problem(scenario), "") << engine.card->name;
            const auto settings = simulator::split_text(engine.settings, ' ');
            if (reading.setting != last) {
                EXPECT_NE(std::find(settings.begin(), settings.end(), pair), settings.end())
                    << engine.card->name << " " << pair;
            }
            last = reading.setting;
        }
    }
}

Read read(Status status) { return {"", {.status = status}}; }

TEST(Readings, give_a_finding_only_if_none_saves_the_claim) {
    using enum Status;
    EXPECT_EQ(status_of({read(finding), read(finding)}), finding);
    EXPECT_EQ(status_of({read(finding), read(pass)}), reading_dependent);
    EXPECT_EQ(status_of({read(pass), read(pass)}), pass);
    EXPECT_EQ(status_of({read(pass), read(finding), read(fail)}), fail);
}

TEST(Readings, that_matter_to_a_row_are_combined_and_the_default_comes_first) {
    const auto all = all_claims();
    const auto row =
        std::find_if(all.begin(), all.end(), [](const Claim& c) { return c.id == "N2"; });
    const std::vector<Settings> readings = readings_for(*row);
    ASSERT_EQ(readings.size(), 4u);
    EXPECT_EQ(name_reading(readings[0]), "clocks=counter life=own");
    EXPECT_EQ(name_reading(readings[3]), "clocks=running life=any");
    EXPECT_EQ(name_reading(readings_for(all[2]).at(0)), "only");
}

}  // namespace ledger_test
}  // namespace conclave::claims
