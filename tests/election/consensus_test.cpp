#include "conclave/election/consensus.hpp"

#include <gtest/gtest.h>

#include "tests/election/actor.hpp"

namespace conclave {
namespace consensus_test {

TEST(Consensus, does_what_the_election_inside_does) {
    Actor<Consensus> outer(3, 5);
    Actor<Bully> inner(3, 5);
    EXPECT_EQ(outer.after(Call{}), inner.after(Call{}));
    EXPECT_EQ(outer.after(Bully::Disagree{}, 4), inner.after(Bully::Disagree{}, 4));
    EXPECT_EQ(outer.after(Bully::Coordinator{}, 4), inner.after(Bully::Coordinator{}, 4));
    EXPECT_EQ(outer.after(Suspect{Id{4}}), inner.after(Suspect{Id{4}}));
    EXPECT_EQ(outer.after(Bully::Notice{}), inner.after(Bully::Notice{}));
    EXPECT_EQ(outer.node.election, inner.node);
}

TEST(Consensus, decides_the_last_bit_of_the_leaders_id) {
    Actor<Consensus> three(3, 6);
    EXPECT_EQ(three.node.decision(), "");
    three.after(Bully::Coordinator{}, 4);
    EXPECT_EQ(three.node.decision(), "0");
    EXPECT_EQ(three.node.label(), "idle, decided 0");
    Actor<Consensus> five(5, 5);
    five.after(Call{});
    EXPECT_EQ(five.node.decision(), "1");
}

TEST(Consensus, never_changes_a_decision) {
    Actor<Consensus> three(3, 6);
    three.after(Bully::Coordinator{}, 5);
    three.after(Suspect{Id{5}});
    EXPECT_EQ(three.node.decision(), "1");
    three.after(Bully::Coordinator{}, 4);
    EXPECT_EQ(three.node.decision(), "1");
}

}  // namespace consensus_test
}  // namespace conclave
