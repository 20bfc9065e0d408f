#include "conclave/election/raft.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace raft_test {

using R = Raft;
using namespace std::chrono_literals;

// Section 5.2: "it increments its current term ... votes for itself and issues RequestVote RPCs"
TEST(Raft, a_follower_whose_timeout_elapses_begins_a_term) {
    Actor<R> two(2, 3);
    EXPECT_EQ(two.after(Start{}), Lines{"Set(Timeout, 10ms)"});
    EXPECT_EQ(two.after(R::Timeout{}), (Lines{"Store(Stored(1, 2))", "Follow(0)",
                                              "Set(Timeout, 10ms)", "Broadcast(RequestVote(1))"}));
}

// Section 5.2: "each server will vote for at most one candidate in a given term"
TEST(Raft, votes_once_a_term_first_come_first_served) {
    Actor<R> one(1, 5);
    EXPECT_EQ(one.after(R::RequestVote{1}, 2),
              (Lines{"Store(Stored(1, 2))", "Set(Timeout, 10ms)", "Send(2, Vote(1, yes))"}));
    EXPECT_EQ(one.after(R::RequestVote{1}, 3), Lines{"Send(3, Vote(1, no))"});
    EXPECT_EQ(one.after(R::RequestVote{0}, 4), Lines{"Send(4, Vote(1, no))"});
    EXPECT_EQ(one.after(R::RequestVote{2}, 3),
              (Lines{"Store(Stored(2, 3))", "Set(Timeout, 10ms)", "Send(3, Vote(2, yes))"}));
}

TEST(Raft, remembers_its_vote_over_a_crash) {
    Actor<R> one(1, 5);
    one.after(Recover<R::Stored>{{4, Id{2}}});
    EXPECT_EQ(one.after(R::RequestVote{4}, 3), Lines{"Send(3, Vote(4, no))"});
}

// Section 5.2: "it receives votes from a majority of the servers in the full cluster"
TEST(Raft, a_majority_makes_a_leader_which_sends_heartbeats) {
    Actor<R> two(2, 5);
    two.after(R::Timeout{});
    EXPECT_EQ(two.after(R::Vote{1, true}, 1), Lines{});
    EXPECT_EQ(two.after(R::Vote{1, true}, 1), Lines{}) << "the same vote again";
    EXPECT_EQ(two.after(R::Vote{1, false}, 3), Lines{});
    EXPECT_EQ(two.after(R::Vote{1, true}, 4),
              (Lines{"Follow(2)", "Stop(Timeout)", "Set(Beat, 3ms)", "Broadcast(Heartbeat(1))"}));
}

// Section 5.1: "if a candidate or leader discovers that its term is out of date, it immediately
// reverts to follower state"
TEST(Raft, a_greater_term_makes_everybody_a_follower) {
    Actor<R> two(2, 3);
    two.after(R::Timeout{});
    two.after(R::Vote{1, true}, 1);
    EXPECT_EQ(two.after(R::Heartbeat{2}, 3),
              (Lines{"Store(Stored(2, 0))", "Follow(3)", "Stop(Beat)", "Set(Timeout, 10ms)",
                     "Set(Timeout, 10ms)"}));
    EXPECT_EQ(two.after(R::Heartbeat{1}, 1), Lines{}) << "of a leader that was";
}

TEST(Raft, elects_somebody_and_one_a_term_under_loss_crashes_and_recoveries) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Scenario scenario = ring_of(3 + static_cast<std::uint32_t>(seed % 4), Who::all);
        scenario.seed = seed;
        scenario.delay = {simulator::Delay::Shape::uniform, 100us, 1ms};
        scenario.loss = {std::uint64_t{1} << 28};
        const auto id = Id{1 + static_cast<std::uint32_t>(mix(seed) % scenario.nodes)};
        scenario.crashes = {{id, 30ms}};
        scenario.recoveries = {{id, 60ms, true}};
        scenario.calm = 300ms;
        scenario.until = 1s;
        const Outcome outcome = run("raft", scenario);
        EXPECT_EQ(outcome.end, Outcome::End::agreed) << seed;
        EXPECT_EQ(outcome.reports, 0u) << "two leaders in one term, seed " << seed;
    }
}

}  // namespace raft_test
}  // namespace conclave
