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

}  // namespace lost_vote_test
}  // namespace conclave::lease
