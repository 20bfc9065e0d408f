// Where Németh's exchange breaks: every case does what its story says, and its remedy helps.
#include "conclave/claims/nemeth/nemeth_cases.hpp"

#include <gtest/gtest.h>

#include "conclave/claims/measuring.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"
#include "conclave/simulator/scenario/words.hpp"

namespace conclave::claims::exchange {

void PrintTo(const Case& told, std::ostream* out) { *out << to_command(told.scenario); }

namespace nemeth_cases_test {

using namespace std::chrono_literals;
using simulator::Outcome;
using simulator::Scenario;

class Cases : public testing::TestWithParam<Case> {};

TEST_P(Cases, happen_as_told) {
    trace::Trace trace;
    const Outcome outcome = run_named(GetParam().scenario, &trace);
    EXPECT_EQ(two_coordinators(outcome), GetParam().two);
    std::vector<std::string_view> cells;
    for (const std::string_view cell : {"(d,3)", "(b,6)"})
        if (reached(trace, cell)) cells.push_back(cell);
    EXPECT_EQ(cells, GetParam().cells);
}

TEST_P(Cases, do_no_harm_with_their_remedy) {
    if (GetParam().remedy.empty()) return;
    Scenario scenario = GetParam().scenario;
    for (const auto& setting : GetParam().remedy) scenario.settings.push_back(setting);
    scenario.until = *scenario.until + 100ms;
    const Outcome outcome = run_named(scenario);
    EXPECT_EQ(outcome.end, Outcome::End::agreed);
    EXPECT_TRUE(outcome.violations.empty());
}

INSTANTIATE_TEST_SUITE_P(Nemeth, Cases, testing::ValuesIn(cases()), [](const auto& test) {
    std::string name(test.param.name);
    for (char& letter : name)
        if (letter == '-' || letter == '+') letter = '_';
    return name;
});

// ---------------------------------------------------------------- the borders, at random

// In how many of 1000 runs do nodes fail so that two lead at once?
int double_trouble(const std::function<void(Scenario&)>& change,
                   Scenario (*scenario_of)(std::uint64_t) = &failing) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Scenario scenario = scenario_of(seed);
        change(scenario);
        count += two_coordinators(run_named(scenario));
    }
    return count;
}
auto with(const std::string& key, const std::string& value) {
    return [=](Scenario& scenario) { scenario.settings.emplace_back(key, value); };
}

TEST(NemethCases, the_candidate_timer_must_exceed_2k) {
    EXPECT_EQ(double_trouble(with("candidate-timer", "2001us")), 0);
    EXPECT_GT(double_trouble(with("candidate-timer", "1800us")), 0);
}

TEST(NemethCases, the_election_timer_must_exceed_T_and_k_but_not_T_and_R) {
    EXPECT_EQ(double_trouble(with("election-timer", "4001us")), 0);  // T = R = 3 k
    EXPECT_GT(double_trouble(with("election-timer", "3600us")), 0);
}

TEST(NemethCases, with_reintroduction_only_the_repair_keeps_one_coordinator) {
    EXPECT_GT(double_trouble([](Scenario&) {}, &returning), 500);
    EXPECT_GT(double_trouble(with("compare", "current"), &returning), 0);
    EXPECT_EQ(double_trouble(with("repair", "on"), &returning), 0);
}

// Into a quiet exchange, one node at a time.
Scenario one_at_a_time(std::uint64_t seed) {
    Scenario scenario = lively(3 + seed % 2, seed);
    const Id id{static_cast<std::uint32_t>(1 + seed % scenario.nodes)};
    scenario.crashes = {{id, 15ms + Duration{static_cast<std::int64_t>(seed % 7) * 1000}}};
    scenario.recoveries = {{id, 16ms + Duration{static_cast<std::int64_t>(seed % 100) * 400'000}}};
    scenario.until = 120ms;
    return scenario;
}

TEST(NemethCases, comparing_with_the_clock_helps_where_one_node_returns_at_a_time) {
    EXPECT_GT(double_trouble([](Scenario&) {}, &one_at_a_time), 0);
    EXPECT_EQ(double_trouble(with("compare", "current"), &one_at_a_time), 0);
}

}  // namespace nemeth_cases_test
}  // namespace conclave::claims::exchange
