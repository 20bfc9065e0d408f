#include "conclave/election/multicast.hpp"

#include <gtest/gtest.h>

#include "tests/election/actor.hpp"

namespace conclave {
namespace multicast_test {

using Variant = Multicast::Variant;

struct Three : Actor<Multicast> {
    explicit Three(Variant variant) : Actor(3, 5) { settings.variant = variant; }
};

TEST(Multicast, asks_everybody_when_it_is_called) {
    EXPECT_EQ(Three(Variant::timeout).after(Call{}),
              (Lines{"Set(Timeout, 2ms)", "Broadcast(Election)"}));
    EXPECT_EQ(Three(Variant::all).after(Call{}), Lines{"Broadcast(Election)"});
    EXPECT_EQ(Actor<Multicast>(1, 1).after(Call{}).front(), "Follow(1)");
}

TEST(Multicast, calls_one_election_at_a_time) {
    Three three(Variant::timeout);
    three.after(Call{});
    EXPECT_EQ(three.after(Call{}), Lines{});
    EXPECT_EQ(three.after(Multicast::Election{}, 1), Lines{"Send(1, Disagree)"});
}

TEST(Multicast, agrees_with_a_better_process_unless_only_disagreement_counts) {
    EXPECT_EQ(Three(Variant::all).after(Multicast::Election{}, 4), Lines{"Send(4, Agree)"});
    EXPECT_EQ(Three(Variant::timeout).after(Multicast::Election{}, 4), Lines{"Send(4, Agree)"});
    EXPECT_EQ(Three(Variant::disagree).after(Multicast::Election{}, 4), Lines{});
}

TEST(Multicast, disagrees_with_a_lesser_process_and_calls_itself) {
    EXPECT_EQ(Three(Variant::disagree).after(Multicast::Election{}, 2),
              (Lines{"Set(Timeout, 2ms)", "Send(2, Disagree)", "Broadcast(Election)"}));
}

TEST(Multicast, is_elected_when_all_agree) {
    Three three(Variant::all);
    three.after(Call{});
    for (const std::uint32_t id : {1u, 2u, 4u, 4u})
        EXPECT_EQ(three.after(Multicast::Agree{}, id), Lines{}) << id;
    EXPECT_EQ(three.after(Multicast::Agree{}, 5),
              (Lines{"Follow(3)", "Stop(Timeout)", "Broadcast(Coordinator)"}));
}

TEST(Multicast, forgets_who_agreed_to_an_election_that_it_gave_up) {
    Actor<Multicast> two(2, 2);
    two.after(Call{});
    two.after(Multicast::Disagree{}, 1);
    two.after(Multicast::Agree{}, 1);
    EXPECT_EQ(two.node.leader, nobody);
    two.after(Call{});
    EXPECT_TRUE(two.node.agreed.empty());
}

TEST(Multicast, is_elected_when_time_is_up) {
    Three three(Variant::disagree);
    three.after(Call{});
    EXPECT_EQ(three.after(Multicast::Timeout{}),
              (Lines{"Follow(3)", "Stop(Timeout)", "Broadcast(Coordinator)"}));
}

TEST(Multicast, gives_up_when_anybody_disagrees) {
    Three three(Variant::timeout);
    three.after(Call{});
    EXPECT_EQ(three.after(Multicast::Disagree{}, 5), Lines{"Stop(Timeout)"});
    EXPECT_EQ(three.after(Multicast::Disagree{}, 4), Lines{});
    EXPECT_EQ(three.after(Multicast::Coordinator{}, 5), (Lines{"Follow(5)", "Stop(Timeout)"}));
}

TEST(Multicast, calls_again_when_the_leader_or_the_one_it_waits_for_fails) {
    Three three(Variant::timeout);
    EXPECT_EQ(three.after(Suspect{Id{5}}), Lines{});  // nobody has called yet
    three.after(Multicast::Coordinator{}, 5);
    EXPECT_EQ(three.after(Suspect{Id{4}}), Lines{});
    EXPECT_EQ(three.after(Suspect{Id{5}}).front(), "Follow(0)");
    three.after(Multicast::Disagree{}, 4);
    EXPECT_EQ(three.after(Suspect{Id{4}}).back(), "Broadcast(Election)");
}

TEST(Multicast, that_recovers_calls) {
    EXPECT_EQ(Three(Variant::timeout).after(Recover<Nothing>{}).back(), "Broadcast(Election)");
}

}  // namespace multicast_test
}  // namespace conclave
