// Lecture 9: Coordinator election, "Ring Election": sentence by sentence.
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace rings_collect_test {

using namespace std::chrono_literals;

Scenario ring_without(std::uint32_t nodes, std::initializer_list<std::uint32_t> failed) {
    Scenario scenario = ring_of(nodes, Who::listed, How::ascending);
    scenario.initiators.ids = {Id{2}};
    for (const std::uint32_t id : failed) scenario.crashes.push_back({Id{id}, Time{0}});
    return scenario;
}

// "Each node advances it in logical order, skipping failed nodes as necessary. Each node adds their
// node number to the list."
TEST(RingElection, the_list_holds_all_live_nodes_in_logical_order) {
    trace::Trace trace;
    run("ring-collect", ring_without(6, {4, 6}), &trace);
    bool complete = false;
    for (const auto& record : trace.records)
        complete |= record.kind == trace::Kind::arrive && record.node == Id{2} &&
                    record.text == "Election([2 3 5 1], [4 6])";
    EXPECT_TRUE(complete);
}

// "It then considers the node with the highest number to be the coordinator."
TEST(RingElection, the_highest_live_number_becomes_the_coordinator) {
    EXPECT_EQ(run("ring-collect", ring_without(6, {})).leader, Id{6});
    EXPECT_EQ(run("ring-collect", ring_without(6, {6, 4})).leader, Id{5});
}

// "... and this message is circulated ... Once this message has made its way around the ring, it is
// removed."
TEST(RingElection, both_messages_go_round_once) {
    for (std::uint32_t nodes = 2; nodes <= 20; ++nodes) {
        const Outcome outcome = run("ring-collect", ring_without(nodes, {}));
        EXPECT_EQ(sent(outcome, "Election"), nodes);
        EXPECT_EQ(sent(outcome, "Coordinator"), nodes);
        EXPECT_TRUE(outcome.quiet);
    }
}

// "If multiple nodes concurrently discover a failed coordinator, each will start an ELECTION. This
// isn't a problem, because each election will select the same coordinator."
TEST(RingElection, concurrent_elections_select_the_same_coordinator_for_2kN_messages) {
    for (std::uint32_t initiators = 1; initiators <= 8; ++initiators) {
        Scenario scenario = ring_of(8, Who::listed);
        for (std::uint32_t id = 1; id <= initiators; ++id)
            scenario.initiators.ids.push_back(Id{id});
        const Outcome outcome = run("ring-collect", scenario);
        expect_good(outcome);
        EXPECT_EQ(outcome.messages, 2 * initiators * 8);
    }
}

// "When a participant discovers that the coordinator has died, it starts circulating an ELECTION
// message around the ring."
TEST(RingElection, who_discovers_that_the_coordinator_has_died_starts_an_election) {
    Scenario scenario = ring_without(6, {});
    scenario.crashes = {{Id{6}, 100ms}};
    scenario.detector.on = true;
    const Outcome outcome = run("ring-collect", scenario);
    expect_good(outcome);
    EXPECT_EQ(outcome.leader, Id{5});
    EXPECT_EQ(outcome.messages, 2 * 6 + 2 * 5 * 5u) << "all five discover it";
}

// Left open by the lecture.
TEST(RingElection, if_the_initiator_dies_the_first_that_finds_itself_listed_ends_the_round) {
    Scenario scenario = ring_without(6, {});
    scenario.crashes = {{Id{2}, 3500us}};
    scenario.detector.on = true;
    trace::Trace trace;
    const Outcome outcome = run("ring-collect", scenario, &trace);
    EXPECT_EQ(outcome.end, Outcome::End::agreed);
    EXPECT_EQ(outcome.leader, Id{6});
    bool ended = false;
    for (const auto& record : trace.records)
        ended |= record.kind == trace::Kind::arrive && record.node == Id{3} &&
                 record.text == "Election([2 3 4 5 6 1], [2])";
    EXPECT_TRUE(ended);
}

}  // namespace rings_collect_test
}  // namespace conclave
