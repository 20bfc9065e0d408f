// Members that come back at once, before anybody has missed them.
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace {

TEST(Return, a_leader_that_is_started_again_at_once_is_not_followed_in_vain) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string former = party.leader();
    const std::uint64_t token = party.leading().status().lease.token;
    party.lose(former);
    party.invite(former);
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_GT(party.leading().status().lease.token, token);
}

TEST(Return, a_member_without_its_memory_gets_it_back_from_members_at_work) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string lost = party.follower();
    party.lose_with_memory(lost);
    Node& again = party.invite(lost);
    EXPECT_TRUE(party.wait_for([&] { return again.status().lease.blank; }));
    EXPECT_TRUE(party.wait_for([&] { return !again.status().lease.blank; }));
    EXPECT_TRUE(party.wait_for_leader());
}

}  // namespace
}  // namespace conclave::agent
