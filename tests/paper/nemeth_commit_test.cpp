// "It must use a two phase commit protocol to have the actions performed (or ignored) by all
// nodes": the reorganization of Németh's exchange, by sentence and under a failure at every moment.
#include <gtest/gtest.h>

#include "conclave/claims/measuring.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"
#include "conclave/election/nemeth.hpp"
#include "conclave/election/two_phase_commit.hpp"

namespace conclave::claims::exchange {
namespace nemeth_commit_test {

using namespace std::chrono_literals;
using simulator::Mutation;
using simulator::Scenario;

const IdSet both{{Id{2}, Id{3}}};

TEST(TwoPhaseCommit, applies_when_all_have_prepared) {
    TwoPhaseCommit coordinator;
    coordinator.ask_around();
    coordinator.propose(Id{1}, both);
    EXPECT_TRUE(coordinator.in_doubt());
    EXPECT_FALSE(coordinator.count(Id{2}, 1));
    EXPECT_FALSE(coordinator.count(Id{2}, 1));  // twice is not both
    EXPECT_FALSE(coordinator.count(Id{3}, 7));  // of some other configuration
    EXPECT_TRUE(coordinator.count(Id{3}, 1));
    coordinator.apply();
    EXPECT_FALSE(coordinator.in_doubt());
    EXPECT_FALSE(coordinator.count(Id{3}, 1));
}

TEST(TwoPhaseCommit, a_member_applies_what_it_prepared_when_its_coordinator_says_so) {
    TwoPhaseCommit member;
    member.prepare({4, Id{1}, both}, 0);
    EXPECT_FALSE(member.may_apply(Id{3}, 4));  // not its coordinator
    EXPECT_FALSE(member.may_apply(Id{1}, 3));
    EXPECT_TRUE(member.may_apply(Id{1}, 4));
    member.apply();
    EXPECT_EQ(member.applied.number, 4u);
    EXPECT_FALSE(member.may_apply(Id{1}, 4));  // once
}

TEST(TwoPhaseCommit, the_next_coordinator_applies_what_anybody_has_applied) {
    TwoPhaseCommit heir;
    heir.prepare({4, Id{1}, both}, 0);
    heir.ask_around();
    heir.hear_of(4, 3);
    EXPECT_EQ(heir.decided, 3u);
    heir.hear_of(4, 4);
    EXPECT_TRUE(heir.propose(Id{2}, {}));
    EXPECT_EQ(heir.applied.number, 4u);
    EXPECT_EQ(heir.prepared.number, 5u);
}

TEST(TwoPhaseCommit, the_next_coordinator_drops_what_nobody_has_applied) {
    TwoPhaseCommit heir;
    heir.prepare({4, Id{1}, both}, 0);
    heir.ask_around();
    heir.hear_of(4, 3);
    EXPECT_FALSE(heir.propose(Id{2}, {}));
    EXPECT_EQ(heir.applied.number, 0u);
    EXPECT_EQ(heir.prepared.number, 5u);  // a number is never used again
}

TEST(TwoPhaseCommit, a_member_follows_the_decision_of_the_next_coordinator) {
    TwoPhaseCommit member;
    member.prepare({4, Id{1}, both}, 0);
    TwoPhaseCommit other = member;
    EXPECT_TRUE(member.prepare({5, Id{2}, {}}, 4));
    EXPECT_EQ(member.applied.number, 4u);
    EXPECT_FALSE(other.prepare({5, Id{2}, {}}, 3));
    EXPECT_EQ(other.applied.number, 0u);
}

// ---------------------------------------------------------------- in the exchange

TEST(NemethCommit, takes_3k_within_the_reorganization) {
    Scenario scenario = steady(4);
    scenario.until = 20ms;
    trace::Trace trace;
    const auto outcome = run_named(scenario, &trace);
    EXPECT_EQ(delays_of(trace).reorganization, 3 * k);
    for (const auto& [type, count] : outcome.by_type)
        if (type == "Reorganize" || type == "Prepared" || type == "Commit") {
            EXPECT_EQ(count, 3u);
        }
}

TEST(NemethCommit, comes_in_state_e_when_R_is_shorter_and_does_no_harm) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Scenario scenario = failing(seed);
        scenario.settings = {{"reorganizing-timer", "1ms"}, {"election-timer", "4001us"}};
        trace::Trace trace;
        const auto outcome = run_named(scenario, &trace);
        EXPECT_TRUE(outcome.violations.empty()) << seed;
        EXPECT_EQ(commit_fault(trace), "") << seed;
    }
}

// A node fails before or after any event, or having sent only some of a message's copies.
int faults(std::uint32_t nodes, std::uint64_t seed, const Mutation& mutation = {}) {
    int count = 0;
    Scenario scenario = seed == 0 ? steady(nodes) : lively(nodes, seed);
    scenario.until = 18ms;
    for (Scenario& broken : failing_anywhere(scenario)) {
        broken.until = 80ms;
        broken.mutation = mutation;
        trace::Trace trace;
        run_named(broken, &trace);
        count += !commit_fault(trace).empty();
    }
    return count;
}

TEST(NemethCommit, all_or_none_apply_a_configuration_wherever_one_node_fails) {
    for (std::uint32_t nodes = 2; nodes <= 4; ++nodes)
        for (std::uint64_t seed = 0; seed <= 2; ++seed) EXPECT_EQ(faults(nodes, seed), 0);
}

TEST(NemethCommit, without_commits_only_the_coordinator_applies) {
    const auto place = Nemeth::Messages::index<Nemeth::Commit>;
    EXPECT_GT(faults(3, 0, {.what = Mutation::What::drop_send, .which = place}), 0);
}

TEST(NemethCommit, failures_leave_all_or_none_too_when_there_are_many) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        trace::Trace trace;
        run_named(failing(seed), &trace);
        EXPECT_EQ(commit_fault(trace), "") << seed;
        EXPECT_EQ(list_fault(trace), "") << seed;
    }
}

}  // namespace nemeth_commit_test
}  // namespace conclave::claims::exchange
