// Whatever counterexample the checker writes down, of whichever algorithm and with whichever
// faults: the simulator runs it again step by step, and finds the same fault.
#include <gtest/gtest.h>

#include <algorithm>

#include "conclave/browser/counterexample.hpp"
#include "conclave/lab/check_verb.hpp"
#include "conclave/simulator/campaign/sweep.hpp"
#include "tests/checker/asking.hpp"

namespace conclave::cli {
namespace round_trip_test {

using checker::all_call;
using checker::Engine;
using checker::Query;
using checker::timed;
using checker::Verdict;

// What arrives, expires and is believed, and when. Not what nodes are told, which the simulator
// tells only those who listen; and not the numbers of messages, which after a restart follow from
// the clock.
std::vector<std::string> plot_of(const trace::Trace& trace) {
    using trace::Kind;
    std::vector<std::string> lines;
    for (const trace::Record& record : trace.records) {
        if (record.kind != Kind::arrive && record.kind != Kind::timer &&
            record.kind != Kind::follow && record.kind != Kind::crash &&
            record.kind != Kind::recover)
            continue;
        lines.push_back(text(record.time) + " " + std::string(name_of(record.kind)) + " " +
                        text(record.node) + " " + text(record.other) + " " +
                        record.text.substr(0, record.text.find('#')));
    }
    std::sort(lines.begin(), lines.end());  // what comes of a start and of the call at that time
    return lines;
}

void expect_round_trip(const Query& query) {
    const Verdict verdict = ask(query);
    if (verdict.answer != Verdict::Answer::violated) return;
    const std::string recording = simulator::to_toml(browser::to_recording(query, verdict));
    SCOPED_TRACE(recording);
    const auto file = simulator::read_recording(recording, "run.toml");
    ASSERT_EQ(file.problem, "");
    trace::Trace trace;
    const auto outcome = simulator::replay_run(file.recording, &trace);
    EXPECT_FALSE(simulator::succeeded(outcome)) << verdict.property << ": " << verdict.what;
    EXPECT_EQ(plot_of(trace), plot_of(verdict.story.trace));
}

class RoundTrip : public testing::TestWithParam<Engine> {};

void expect_round_trips(Query query) {
    query.states_max = 3000;
    query.choices_max = 2;
    for (const std::string property : {"one-leader", "leader", "informed", "best", "agreement"})
        for (const bool start_steps : {false, true})
            for (const bool detector : {false, true}) {
                SCOPED_TRACE(property + (start_steps ? ", start steps" : "") +
                             (detector ? ", detector" : ""));
                query.properties = {property};
                query.start_steps = start_steps;
                query.detector = detector;
                expect_round_trip(query);
            }
}

TEST_P(RoundTrip, of_crashes) {
    Query query = all_call(GetParam().card->name, 2);
    query.budget.crashes = query.budget.calls = 1;
    expect_round_trips(query);
}

TEST_P(RoundTrip, of_recoveries_and_mistakes) {
    Query query = all_call(GetParam().card->name, 2);
    query.budget.crashes = query.budget.recoveries = query.budget.mistakes = 1;
    expect_round_trips(query);
}

TEST_P(RoundTrip, of_lost_and_doubled_messages) {
    Query query = all_call(GetParam().card->name, 3);
    query.budget.losses = query.budget.duplicates = 1;
    expect_round_trips(query);
}

TEST_P(RoundTrip, in_bounded_time) {
    Query query = timed(all_call(GetParam().card->name, 2), 10);
    query.delay_min = 1;
    query.budget.crashes = query.budget.mistakes = 1;
    expect_round_trips(query);
}

INSTANTIATE_TEST_SUITE_P(Each, RoundTrip,
                         testing::ValuesIn(checker::engines().begin(), checker::engines().end()),
                         [](const auto& row) {
                             std::string name(row.param.card->name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace round_trip_test
}  // namespace conclave::cli
