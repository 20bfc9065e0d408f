// Members that come back at once, before anybody has missed them.
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace return_test {

using testing::HasSubstr;

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
    EXPECT_TRUE(party.wait_for([&] { return again.status().lease.amnesiac; }));
    EXPECT_TRUE(party.wait_for([&] { return !again.status().lease.amnesiac; }));
    EXPECT_TRUE(party.wait_for_leader());
}

// Whoever has formed the group must remember with whom, and who has not, that it is still the same.
TEST(Return, a_group_forms_though_two_of_its_members_crash_meanwhile) {
    Party party;
    party.invite_all();
    const auto formed = [&] {
        std::vector<std::string> names;
        for (const char* name : {"a", "b", "c"})
            if (!party.node(name).status().lease.amnesiac) names.emplace_back(name);
        return names;
    };
    ASSERT_TRUE(party.wait_for([&] { return !formed().empty(); }));
    const std::string first = formed().front(), second = first == "a" ? "b" : "a";
    for (const std::string& name : {first, second}) {
        party.lose(name);
        party.invite(name);
    }
    EXPECT_TRUE(party.wait_for_leader());
}

TEST(Return, two_that_lost_their_memory_beside_one_that_did_not_need_an_operators_word) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_THAT(party.node("a").vouch(), HasSubstr("has its memory"));
    for (const char* name : {"a", "b"}) party.lose_with_memory(name);
    for (const char* name : {"a", "b"}) party.invite(name);
    EXPECT_THAT(party.node("a").vouch(), HasSubstr("just come up"));
    const auto unsure = [&](const char* name) {
        return party.node(name).status().remark.find("conclave vouch") != std::string::npos;
    };
    ASSERT_TRUE(party.wait_for([&] { return unsure("a") && unsure("b"); }));
    EXPECT_THAT(party.node("a").examine(), testing::Contains(HasSubstr("conclave vouch")));
    EXPECT_EQ(party.node("a").vouch(), "");
    EXPECT_TRUE(party.wait_for_leader());  // b hears from two that remember
}

TEST(Return, a_group_of_one_forms_itself) {
    Party party({{"expect", "1"}}, "");
    party.invite("a");
    EXPECT_TRUE(party.wait_for_leader());
}

}  // namespace return_test
}  // namespace conclave::agent
