// CS425 lecture (2023, Mittal), "Ring Election Protocol": sentence by sentence, slide by slide.
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace rings_lecture_test {

using namespace std::chrono_literals;

Scenario called_by(std::uint32_t nodes, std::initializer_list<std::uint32_t> ids) {
    Scenario scenario = ring_of(nodes, Who::listed, How::ascending);
    for (const std::uint32_t id : ids) scenario.initiators.ids.push_back(Id{id});
    return scenario;
}

std::uint64_t sends(const trace::Trace& trace, std::string_view text) {
    std::uint64_t count = 0;
    for (const auto& record : trace.records)
        count += record.kind == trace::Kind::send && record.text == text;
    return count;
}

// "What happens when multiple processes call for an election?"
TEST(RingLecture, the_basic_version_sends_the_winners_messages_once_for_each_initiator) {
    trace::Trace trace;
    run("ring-basic", called_by(6, {2, 4}), &trace);
    EXPECT_EQ(sends(trace, "Election(6)"), 12u);
    EXPECT_EQ(sends(trace, "Elected(6)"), 12u);
}

TEST(RingLecture, chang_and_roberts_send_the_winners_messages_only_once) {
    trace::Trace trace;
    run("chang-roberts", called_by(6, {2, 4}), &trace);
    EXPECT_EQ(sends(trace, "Election(6)"), 6u);
    EXPECT_EQ(sends(trace, "Elected(6)"), 6u);
}

// "Worst-case: when the initiator is the ring successor of the would-be leader."
TEST(RingLecture, worst_case_takes_3N_minus_1_messages_and_transmission_times) {
    for (const char* algorithm : {"ring-basic", "chang-roberts"})
        for (const std::uint32_t nodes : {2u, 3u, 8u, 50u}) {
            const Outcome outcome = run(algorithm, ring_of(nodes, Who::last));
            EXPECT_EQ(outcome.messages, 3 * nodes - 1) << algorithm << " " << nodes;
            EXPECT_EQ(outcome.turnaround, (3 * nodes - 1) * 1ms) << algorithm << " " << nodes;
        }
}

// "Best-case: when the initiator is the would-be leader."
TEST(RingLecture, best_case_takes_2N_messages_and_transmission_times) {
    for (const char* algorithm : {"ring-basic", "chang-roberts"})
        for (const std::uint32_t nodes : {1u, 2u, 3u, 8u, 50u}) {
            const Outcome outcome = run(algorithm, ring_of(nodes, Who::best));
            EXPECT_EQ(outcome.messages, 2 * nodes) << algorithm << " " << nodes;
            EXPECT_EQ(outcome.turnaround, 2 * nodes * 1ms) << algorithm << " " << nodes;
        }
}

TEST(RingLecture, in_between_it_takes_2N_and_the_distance_to_the_winner) {
    for (const char* algorithm : {"ring-basic", "chang-roberts"})
        for (std::uint32_t id = 1; id <= 9; ++id)
            EXPECT_EQ(run(algorithm, called_by(9, {id})).messages, 18 + (9 - id)) << id;
}

TEST(RingLecture, the_basic_ring_adds_up_what_its_initiators_cost) {
    EXPECT_EQ(run("ring-basic", called_by(9, {1, 5, 9})).messages, (18 + 8) + (18 + 4) + 18u);
}

// "When each process initiates the algorithm?"
TEST(RingLecture, all_initiating_takes_3N_minus_1_messages_in_the_best_order) {
    const Outcome outcome = run("chang-roberts", ring_of(20, Who::all, How::ascending));
    EXPECT_EQ(outcome.messages, 59u);
    EXPECT_EQ(outcome.turnaround, 40ms);
}

TEST(RingLecture, all_initiating_takes_order_of_N_squared_messages_in_the_worst_order) {
    const Outcome outcome = run("chang-roberts", ring_of(20, Who::all, How::descending));
    EXPECT_EQ(outcome.messages, 20 * 21 / 2 + 20u);
    EXPECT_EQ(outcome.turnaround, 40ms);
}

TEST(RingLecture, all_initiating_takes_N_times_the_harmonic_number_and_N_on_average) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        Scenario scenario = ring_of(30, Who::all);
        scenario.seed = seed;
        sum += static_cast<double>(run("chang-roberts", scenario).messages);
    }
    EXPECT_NEAR(sum / 2000, 30 * 3.99499 + 30, 1.5);
}

// "Election completes within 3N - 1 message transmission times."
TEST(RingLecture, the_election_completes_within_3N_minus_1_transmission_times) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Scenario scenario = random_ring(seed);
        scenario.delay = {};
        scenario.calls.clear();
        EXPECT_LE(run("chang-roberts", scenario).turnaround, (3 * scenario.nodes - 1) * 1ms);
    }
}

// "The result of an election should not depend on which process calls for it."
TEST(RingLecture, the_result_does_not_depend_on_who_calls) {
    for (std::uint32_t id = 1; id <= 9; ++id)
        EXPECT_EQ(run("chang-roberts", called_by(9, {id})).leader, Id{9});
}

// "Other attribute examples: leader has highest IP address, or fastest cpu, ..."
TEST(RingLecture, the_best_attribute_wins_and_the_id_breaks_ties) {
    for (const char* algorithm : {"ring-basic", "chang-roberts", "ring-collect", "franklin",
                                  "hirschberg-sinclair", "dolev-klawe-rodeh"}) {
        Scenario scenario = ring_of(7, Who::all);
        scenario.attributes = {{Id{2}, 5}, {Id{4}, 5}, {Id{6}, 1}};
        EXPECT_EQ(run(algorithm, scenario).leader, Id{4}) << algorithm;
    }
}

// "Repair the ring. Stop forwarding Election:80. Start a new run of leader election."
TEST(RingLecture, a_detected_failure_repairs_the_ring_and_restarts_the_run) {
    Scenario scenario = called_by(5, {1});
    scenario.crashes = {{Id{5}, 3500us}};
    scenario.detector = {.on = true, .lateness = {.low = 1ms}};
    trace::Trace trace;
    const Outcome outcome = run("repaired-chang-roberts", scenario, &trace);
    expect_good(outcome);
    EXPECT_EQ(outcome.leader, Id{4});
    EXPECT_GT(sends(trace, "Election(4) in run 2"), 0u);
}

// The would-be leader's Election has left it and it dies: without the second rule that message
// would go round for ever.
TEST(RingLecture, the_election_message_of_the_failed_is_not_forwarded) {
    Scenario scenario = called_by(5, {5});
    scenario.crashes = {{Id{5}, 1500us}};
    scenario.detector.on = true;
    const Outcome outcome = run("repaired-chang-roberts", scenario);
    expect_good(outcome);
    EXPECT_EQ(outcome.leader, Id{4});
}

// "Incomplete FD => N80's failure might be missed: violation of liveness."
TEST(RingLecture, an_undetected_failure_violates_liveness) {
    Scenario scenario = called_by(5, {1});
    scenario.crashes = {{Id{5}, 2500us}};
    scenario.detector = {.on = true, .missed = {std::uint64_t{1} << 32}};
    const Outcome outcome = run("repaired-chang-roberts", scenario);
    EXPECT_EQ(outcome.end, Outcome::End::leaderless);
    EXPECT_TRUE(outcome.quiet) << "and nothing is left that could change it";
}

// "Inaccurate FD => N80 mistakenly detected as failed: a process with lower attribute will be
// selected: violation of safety."
TEST(RingLecture, a_live_process_taken_for_dead_violates_safety) {
    Scenario scenario = called_by(5, {1});
    scenario.suspicions = {{Id{4}, Id{5}, {500us, never}}};
    const Outcome outcome = run("repaired-chang-roberts", scenario);
    EXPECT_EQ(outcome.believed.at(Id{4}), 4u);
    EXPECT_FALSE(outcome.violations.empty());
}

TEST(RingLecture, when_the_mistake_is_noticed_the_better_process_leads_again) {
    Scenario scenario = called_by(5, {1});
    scenario.suspicions = {{Id{4}, Id{5}, {500us, 50ms}}};
    const Outcome outcome = run("repaired-chang-roberts", scenario);
    EXPECT_EQ(outcome.end, Outcome::End::agreed);
    EXPECT_EQ(outcome.leader, Id{5});
}

}  // namespace rings_lecture_test
}  // namespace conclave
