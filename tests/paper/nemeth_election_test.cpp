// Németh (1987) by section: the cold start, life messages, failures at any time, repaired nodes.
#include <gtest/gtest.h>

#include <array>

#include "conclave/claims/measuring.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"
#include "conclave/election/nemeth.hpp"

namespace conclave::claims::exchange {
namespace nemeth_election_test {

using namespace std::chrono_literals;
using simulator::Outcome;
using simulator::Scenario;
using trace::Kind;
using trace::Record;
using trace::Trace;

constexpr Nemeth::Settings standard{};

Scenario until(Scenario scenario, Time time) {
    scenario.until = time;
    return scenario;
}
std::uint64_t sent(const Outcome& outcome, std::string_view type) {
    for (const auto& [name, count] : outcome.by_type)
        if (name == type) return count;
    return 0;
}
// When `node` first did so, not before `from`.
Time when(const Trace& trace, Kind kind, Id node, std::string_view text, Time from = {}) {
    for (const Record& record : trace.records)
        if (record.time >= from && record.kind == kind && record.node == node &&
            record.text == text)
            return record.time;
    return never;
}

// ---------------------------------------------------------------- cold start

// "Nodes will undertake spontaneously an election when the system is turned on."
TEST(NemethColdStart, needs_no_external_action) {
    for (std::uint32_t nodes = 1; nodes <= 6; ++nodes) {
        const Outcome outcome = run_named(until(steady(nodes), 7ms));
        EXPECT_EQ(outcome.leader, Id{1});  // all stand at 0: the smallest identifier wins
        EXPECT_TRUE(outcome.violations.empty());
        const std::uint64_t others = nodes - 1;
        EXPECT_EQ(sent(outcome, "Candidate"), nodes);  // broadcasts
        EXPECT_EQ(sent(outcome, "Acknowledge"), nodes * others);
        EXPECT_EQ(sent(outcome, "Reorganize"), others);
    }
}

TEST(NemethColdStart, elects_within_T_and_reorganizes_within_R) {
    Trace trace;
    run_named(until(steady(4), 20ms), &trace);
    const Time elected = standard.candidate_timer;
    EXPECT_EQ(when(trace, Kind::state, Id{1}, "reorganizing"), elected);
    EXPECT_EQ(when(trace, Kind::state, Id{1}, "coordinator"),
              elected + standard.reorganizing_timer);
    for (const Id id : {Id{2}, Id{3}, Id{4}})
        EXPECT_EQ(when(trace, Kind::state, id, "active"), elected + k);
}

TEST(NemethColdStart, elects_one_if_all_are_up_before_the_first_message_can_arrive) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Scenario scenario = until(lively(4, seed), 60ms);
        scenario.delay.low = k / 2;
        for (std::uint32_t id = 1; id <= 4; ++id)
            scenario.starts.push_back({Id{id}, (seed * id % 5) * k / 10});  // up to 0.4 k
        const Outcome outcome = run_named(scenario);
        EXPECT_TRUE(outcome.violations.empty()) << seed;
        EXPECT_EQ(outcome.leader, Id{1}) << seed;
    }
}

// ---------------------------------------------------------------- normal operation

TEST(NemethLife, messages_keep_the_exchange_quiet) {
    Trace trace;
    const Outcome outcome = run_named(until(lively(5, 3), 500ms), &trace);
    EXPECT_EQ(sent(outcome, "Candidate"), 5u);  // those of the cold start
    EXPECT_EQ(sent(outcome, "Reorganize"), 4u);
    EXPECT_GE(sent(outcome, "Life"), 4 * (500ms / standard.life_interval - 2));
}

TEST(NemethLife, a_silent_coordinator_is_noticed_by_all_others) {
    Scenario scenario = until(steady(4), 60ms);
    scenario.crashes = {{Id{1}, 20ms}};
    Trace trace;
    const Outcome outcome = run_named(scenario, &trace);
    EXPECT_EQ(outcome.leader, Id{2});
    EXPECT_TRUE(outcome.violations.empty());
    const Time noticed = when(trace, Kind::timer, Id{2}, "LifeTimer");
    EXPECT_GT(noticed, 20ms);
    EXPECT_LE(noticed, 20ms + standard.life_timer + k);
}

TEST(NemethLife, a_silent_node_makes_the_coordinator_reorganize_without_it) {
    Scenario scenario = until(steady(4), 60ms);
    scenario.crashes = {{Id{3}, 20ms}};
    Trace trace;
    const Outcome outcome = run_named(scenario, &trace);
    EXPECT_EQ(outcome.leader, Id{1});
    EXPECT_TRUE(outcome.violations.empty());
    const Time noticed = when(trace, Kind::state, Id{1}, "candidate", 1ms);
    EXPECT_GT(noticed, 20ms);
    EXPECT_LE(noticed, 20ms + 2 * standard.life_interval);
    const auto& last = std::find_if(trace.records.rbegin(), trace.records.rend(),
                                    [](const Record& r) { return r.kind == Kind::store; });
    EXPECT_NE(last->text.find("Configuration(2, 1, [2 4])"), std::string::npos) << last->text;
}

// ---------------------------------------------------------------- failures

// "If no infinite series of failures interfere with the election, then a new coordinator will
// eventually be elected": within max(L, t) + 2k + T, and has reorganized R later.
TEST(NemethFailures, leave_one_coordinator_within_the_bound) {
    const Duration bound =
        std::max(standard.life_timer, standard.election_timer) + 2 * k + standard.candidate_timer;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Trace trace;
        const Outcome outcome = run_named(failing(seed), &trace);
        EXPECT_EQ(outcome.end, Outcome::End::agreed) << seed;
        EXPECT_TRUE(outcome.violations.empty()) << seed;
        EXPECT_EQ(outcome.reports, 0u) << seed;
        const Delays delays = delays_of(trace);
        EXPECT_LE(delays.election, bound) << seed;
        EXPECT_LE(delays.reorganization, standard.reorganizing_timer) << seed;
    }
}

// "Failure of the node which is precisely the one being elected is not catastrophic."
TEST(NemethFailures, of_the_node_being_elected_only_lengthen_the_election) {
    Time before{};
    for (std::uint32_t failures = 0; failures <= 3; ++failures) {
        Scenario scenario = until(steady(5), 100ms);
        Time stands{};  // each fails just before its candidate timer would awake
        for (std::uint32_t id = 1; id <= failures; ++id) {
            scenario.crashes.push_back({Id{id}, stands + 2500us});
            stands += k + standard.election_timer;
        }
        Trace trace;
        const Outcome outcome = run_named(scenario, &trace);
        EXPECT_EQ(outcome.leader, Id{failures + 1});
        EXPECT_TRUE(outcome.violations.empty());
        const Time elected = when(trace, Kind::state, outcome.leader, "reorganizing");
        EXPECT_GT(elected, before);
        EXPECT_EQ(elected, stands + standard.candidate_timer);
        before = elected;
    }
}

TEST(NemethFailures, of_all_but_one_leave_that_one_coordinator) {
    Scenario scenario = until(steady(4), 100ms);
    scenario.crashes = {{Id{1}, 20ms}, {Id{2}, 20ms}, {Id{4}, 20ms}};
    const Outcome outcome = run_named(scenario);
    EXPECT_EQ(outcome.leader, Id{3});
    EXPECT_TRUE(outcome.violations.empty());
}

// "Node measured by its own clock": T > 2k must hold of the fastest clock, and t > T + R between
// the fastest and the slowest. Clocks here run up to a tenth too fast or too slow.
int drifting(const std::vector<std::pair<std::string, std::string>>& settings) {
    int violated = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Scenario scenario = failing(seed);
        scenario.clocks = {.offset = 1s, .drift_ppb = 100'000'000};
        scenario.settings = settings;
        violated += !run_named(scenario).violations.empty();
    }
    return violated;
}

TEST(NemethFailures, with_drifting_clocks_are_harmless_if_the_timers_allow_for_the_drift) {
    EXPECT_EQ(drifting({{"election-timer", "8ms"}}), 0);  // 8/1.1 > (3 + 3)/0.9
    EXPECT_EQ(drifting({{"candidate-timer", "2201us"}}), 0);
    EXPECT_GT(drifting({{"candidate-timer", "2001us"}}), 0);  // 2001/1.1 < 2k
    EXPECT_GT(drifting({{"election-timer", "4001us"}}), 0);   // too short for T + k
}

// ---------------------------------------------------------------- repaired nodes

// "This can be ensured by simply setting the clock value of the recovering node to 0."
TEST(NemethRecovery, gives_a_returning_node_the_lead_of_a_quiet_exchange) {
    for (const Id id : {Id{1}, Id{2}, Id{3}}) {
        Scenario scenario = until(lively(3, 5), 120ms);
        scenario.crashes = {{id, 20ms}};
        scenario.recoveries = {{id, 70ms}};
        Trace trace;
        const Outcome outcome = run_named(scenario, &trace);
        EXPECT_EQ(outcome.leader, id);
        EXPECT_TRUE(outcome.violations.empty());
        EXPECT_EQ(when(trace, Kind::state, id, "reorganizing", 70ms),
                  70ms + standard.candidate_timer);
        EXPECT_EQ(outcome.reports, 0u);
    }
}

// ---------------------------------------------------------------- assumption 9

TEST(NemethClocks, order_all_events_in_every_run) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
        for (const auto& scenario_of : {&failing, &returning})
            for (const std::string repair : {"off", "on"}) {
                Scenario scenario = scenario_of(seed);
                scenario.settings = {{"repair", repair}};
                Trace trace;
                run_named(scenario, &trace);
                EXPECT_EQ(clock_fault(trace), "") << seed;
            }
}

Trace messages(const std::vector<Record>& records) {
    Trace trace;
    trace.records = records;
    return trace;
}
Record record(Kind kind, std::uint32_t node, const std::string& text) {
    return {1ms, kind, Id{node}, Id{3 - node}, 0, text};
}

TEST(NemethClocks, would_be_caught_out) {
    EXPECT_EQ(clock_fault(messages({record(Kind::send, 1, "Life(4)"),
                                    record(Kind::send, 1, "Life(4)"),  // a copy
                                    record(Kind::send, 1, "Life(3)")})),
              "Life(3) was sent too early at node 1, 1ms");
    EXPECT_EQ(clock_fault(messages(
                  {record(Kind::arrive, 1, "Life(4)"), record(Kind::send, 1, "Alive(5)")})),
              "Alive(5) was sent too early at node 1, 1ms");
    EXPECT_EQ(clock_fault(messages(
                  {record(Kind::arrive, 1, "Life(4)"), record(Kind::send, 1, "Alive(6)")})),
              "");
}

TEST(NemethClocks, are_set_to_zero_on_recovery_and_that_is_no_fault) {
    EXPECT_EQ(clock_fault(messages({record(Kind::send, 1, "Life(4)"), record(Kind::recover, 1, ""),
                                    record(Kind::send, 1, "Candidate(0)")})),
              "");
}

}  // namespace nemeth_election_test
}  // namespace conclave::claims::exchange
