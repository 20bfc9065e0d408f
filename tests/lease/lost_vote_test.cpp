// R15: what becomes of a vote for a candidacy that came to nothing.
#include <gtest/gtest.h>

#include "tests/lease/keeper.hpp"

namespace conclave::lease {
namespace lost_vote_test {

using namespace std::chrono_literals;

// A vote for a candidacy that is over and never acted counts for nobody.
TEST(Lease, r15_a_member_that_stood_and_lost_may_promise_itself_to_the_lesser_ballot_that_leads) {
    One one;
    one.hear(one.ask(1, 2, 1));
    one.now = 300ms;
    one.after(Call{});  // it has not heard of 2 for a while, and stands
    EXPECT_EQ(one.node.voter.highest, one.node.candidacy.ballot);
    Ask held = one.ask(1, 2, 4);
    held.held = true;
    const Lines lines = one.hear(held);
    EXPECT_FALSE(one.node.candidacy.ballot.stands());
    EXPECT_TRUE(says(lines, "Send(2, Promise(Ballot(1, 2, 7), 4, "));
    EXPECT_TRUE(lines.front().starts_with("Store("));  // a restarted node must know it
    EXPECT_EQ(one.node.disk.highest, (Ballot{1, Id{2}, 7}));
    EXPECT_EQ(one.node.disk.used.round, 2u);
    EXPECT_FALSE(says(one.hear(one.ask(1, 3)), "Send(3, Promise"));  // bound again
}

TEST(Lease, r15_but_not_one_whose_candidacy_acted) {
    One one;
    one.hear(one.ask(1, 2, 1));
    one.now = 300ms;
    one.after(Call{});
    one.promise(3);
    ASSERT_TRUE(one.node.acting);
    one.after(Gone{});
    EXPECT_FALSE(says(one.hear(one.ask(1, 2, 4)), "Send(2, Promise"));  // tokens never fall
}

// Its disk says that it stood, not whether that candidacy ever acted: the others go on without it.
TEST(Lease, r15_nor_one_whose_candidacy_a_restart_ended) {
    One one;
    one.hear(one.ask(1, 2, 1));
    one.now = 300ms;
    one.after(Call{});
    const Ballot vain = one.node.candidacy.ballot;
    one.recover();
    one.after(Gone{});
    one.now += one.settings.promise;
    Ask held = one.ask(1, 2, 4);
    held.held = true;
    EXPECT_FALSE(says(one.hear(held), "Send(2, Promise"));
    EXPECT_EQ(one.node.disk.highest, vain);
    EXPECT_TRUE(says(one.hear(one.ask(vain.round + 1, 2)), "Store("));  // the next election ends it
    EXPECT_EQ(one.node.disk.highest.round, vain.round + 1);
}

}  // namespace lost_vote_test
}  // namespace conclave::lease
