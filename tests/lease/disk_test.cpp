// R13: what a member does whose disk fails.
#include <gtest/gtest.h>

#include "tests/lease/keeper.hpp"

namespace conclave::lease {
namespace disk_test {

using namespace std::chrono_literals;

TEST(LeaseDisk, a_promise_that_may_not_be_on_disk_is_kept_in_mind_and_given_when_it_is) {
    One one;
    one.hear(one.ask(1, 2));
    one.now = 300ms;
    one.disk_fails = true;
    one.hear(one.ask(2, 3));  // the host lets no answer leave
    EXPECT_EQ(one.node.voter.highest, (Ballot{2, Id{3}, 7}));
    EXPECT_FALSE(says(one.hear(one.ask(1, 2, 2)), "Send(2, Promise"));  // as if it were on disk
    const Lines again = one.hear(one.ask(2, 3, 2));
    EXPECT_TRUE(again.front().starts_with("Store("));  // as if it were not
    one.disk_fails = false;
    EXPECT_TRUE(says(one.hear(one.ask(2, 3, 3)), "Send(3, Promise"));
    EXPECT_FALSE(says(one.hear(one.ask(2, 3, 4)), "Store("));
}

TEST(LeaseDisk, the_own_vote_counts_only_when_it_is_on_disk) {
    One one;
    one.hear(one.ask(1, 2));
    one.after(Member::Renew{});
    one.now = 300ms;
    one.disk_fails = true;
    one.after(Call{});
    one.promise(2);
    EXPECT_FALSE(one.node.acting);
}

TEST(LeaseDisk, a_candidate_whose_disk_fails_withdraws_and_stands_when_it_works_again) {
    One one;
    one.disk_fails = true;
    EXPECT_TRUE(says(one.after(Call{}), "Broadcast(Release"));
    EXPECT_FALSE(one.node.candidacy.ballot.stands());
    EXPECT_FALSE(says(one.after(Member::Renew{}), "Broadcast(Ask"));
    one.disk_fails = false;
    one.after(Kept{});
    EXPECT_TRUE(says(one.after(Call{}), "Broadcast(Ask(Ballot(2, 1, 1)"));
}

TEST(LeaseDisk, a_leader_that_cannot_store_the_ballot_of_a_new_start_no_longer_leads) {
    One one;
    one.after(Call{});
    one.promise(2);
    one.disk_fails = true;
    EXPECT_TRUE(says(one.after(Anew{}), "Follow(0)"));
    EXPECT_FALSE(one.node.candidacy.ballot.stands());
}

TEST(LeaseDisk, a_store_that_is_done_late_does_not_count_for_what_came_after_it) {
    One one;
    one.disk_waits = true;
    one.after(Call{});
    EXPECT_TRUE(one.node.candidacy.ballot.stands());
    one.after(Resign{});  // it takes its vote back, and has more to store than is on its way
    one.after(Kept{});
    EXPECT_TRUE(one.node.behind());
    one.now = 300ms;
    EXPECT_TRUE(one.hear(one.ask(5, 2)).front().starts_with("Store("));
    one.after(Kept{});
    EXPECT_FALSE(one.node.behind());
}

TEST(LeaseDisk, while_a_store_is_on_its_way_the_own_vote_does_not_count_and_asks_wait_for_it) {
    One one;
    one.disk_waits = true;
    one.after(Call{});
    one.promise(2);
    EXPECT_FALSE(one.node.acting);
    const Lines again = one.after(Member::Renew{});
    EXPECT_TRUE(again.front().starts_with("Store("));
    one.after(Kept{});
    EXPECT_TRUE(one.node.acting);
}

TEST(LeaseDisk, a_full_disk_does_not_depose_a_leader) {
    One one;
    one.after(Call{});
    one.promise(2);
    one.disk_fails = true;
    one.now = 100ms;
    EXPECT_TRUE(says(one.after(Member::Renew{}), "Broadcast(Ask(Ballot(1, 1, 1), 2, yes"));
    one.promise(2, 2);
    EXPECT_EQ(one.node.ends, 380ms);
}

TEST(LeaseDisk, what_is_said_before_a_store_does_not_wait_for_it) {
    One one;
    one.after(Call{});
    one.promise(2);
    one.disk_fails = true;
    one.after(Gone{});  // it releases, and would stand again
    EXPECT_EQ(one.unbound, 1u);
}

}  // namespace disk_test
}  // namespace conclave::lease
