#include "conclave/election/stoller.hpp"

#include "tests/election/actor.hpp"
#include "tests/election/ring_runs.hpp"

namespace conclave {
namespace stoller_test {

using S = Stoller;
using namespace std::chrono_literals;
const S::Election by_three{Id{3}, 1, 1};

TEST(Stoller, waits_until_all_better_ones_are_down) {
    Actor<S> two(2, 3);
    EXPECT_EQ(two.after(Start{}), Lines{"Stop(Check)"});
    EXPECT_EQ(two.node.status, S::Status::first_stage);
    EXPECT_EQ(two.after(Suspect{Id{3}}),
              (Lines{"Stop(Check)", "Send(1, Halt(Election(2, 1, 1)))"}));
}

TEST(Stoller, halts_the_lesser_ones_one_after_the_other) {
    Actor<S> three(3, 3);
    EXPECT_EQ(three.after(Start{}), (Lines{"Stop(Check)", "Send(2, Halt(Election(3, 1, 1)))"}));
    EXPECT_EQ(three.after(S::Ack{by_three}, 2), Lines{"Send(1, Halt(Election(3, 1, 1)))"});
    EXPECT_EQ(three.after(S::Reject{by_three}, 1),
              (Lines{"Follow(3)", "Set(Check, 15ms)", "Send(2, Leader(Election(3, 1, 1)))"}));
}

TEST(Stoller, does_not_wait_for_those_that_are_down) {
    Actor<S> three(3, 3);
    three.after(Start{});
    EXPECT_EQ(three.after(Suspect{Id{2}}), Lines{"Send(1, Halt(Election(3, 1, 1)))"});
}

TEST(Stoller, a_halted_process_follows_nobody_until_its_halter_leads) {
    Actor<S> one(1, 3);
    one.node.status = S::Status::normal;
    one.node.leader = Id{2};
    EXPECT_EQ(one.after(S::Halt{by_three}, 3),
              (Lines{"Follow(0)", "Stop(Check)", "Send(3, Ack(Election(3, 1, 1)))"}));
    EXPECT_EQ(one.after(S::Leader{{Id{2}, 1, 1}}, 2), Lines{}) << "of another election";
    EXPECT_EQ(one.after(S::Leader{by_three}, 3), (Lines{"Follow(3)", "Stop(Check)"}));
}

TEST(Stoller, a_process_bound_to_a_better_one_rejects) {
    Actor<S> one(1, 3);
    one.after(S::Halt{by_three}, 3);
    EXPECT_EQ(one.after(S::Halt{{Id{2}, 1, 1}}, 2), Lines{"Send(2, Reject(Election(2, 1, 1)))"});
    one.after(Suspect{Id{3}});
    EXPECT_EQ(one.after(S::Halt{{Id{2}, 1, 1}}, 2),
              (Lines{"Stop(Check)", "Send(2, Ack(Election(2, 1, 1)))"}));
}

TEST(Stoller, a_leader_that_hears_of_one_who_missed_it_begins_again) {
    Actor<S> three(3, 3);
    three.after(Start{});
    three.after(S::Ack{by_three}, 2);
    three.after(S::Ack{by_three}, 1);
    EXPECT_EQ(three.after(S::Check{}),
              (Lines{"Set(Check, 15ms)", "Send(1, AreYouNormal(Election(3, 1, 1)))",
                     "Send(2, AreYouNormal(Election(3, 1, 1)))"}));
    three.after(S::NotNormal{by_three}, 1);
    EXPECT_EQ(three.node.status, S::Status::second_stage);
}

TEST(Stoller, takes_three_messages_for_each_other_process) {
    for (const std::uint32_t nodes : {1u, 2u, 5u}) {
        Scenario scenario = ring_of(nodes, Who::none);
        scenario.until = 14ms;  // before the first check
        EXPECT_EQ(run("stoller", scenario).messages, 3 * (nodes - 1));
    }
}

TEST(Stoller, elects_the_best_that_is_left_if_all_are_told_who_is_down) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Scenario scenario = ring_of(3 + static_cast<std::uint32_t>(seed % 5), Who::none);
        scenario.seed = seed;
        scenario.delay = {simulator::Delay::Shape::uniform, 100us, 1ms};
        scenario.detector.on = true;
        scenario.detector.lateness = {simulator::Delay::Shape::constant, 2ms, {}};
        const auto id = Id{1 + static_cast<std::uint32_t>(mix(seed) % scenario.nodes)};
        scenario.crashes = {{id, std::chrono::microseconds(mix(seed, 1) % 40'000)}};
        scenario.until = 500ms;
        const Outcome outcome = run("stoller", scenario);
        EXPECT_EQ(outcome.end, Outcome::End::agreed) << seed;
        EXPECT_TRUE(outcome.violations.empty()) << seed << to_json(outcome);
    }
}

}  // namespace stoller_test
}  // namespace conclave
