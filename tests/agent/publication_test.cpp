// The value that a leader publishes, from the words to those who follow it.
#include "conclave/agent/group/publication.hpp"

#include "conclave/agent/settings/own_key.hpp"
#include "conclave/wire/body.hpp"
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace publication_test {

using testing::HasSubstr;

TEST(Publications, hold_in_their_own_term_only) {
    Publications heard;
    EXPECT_TRUE(heard.hear({7, 1, "x"}));
    EXPECT_EQ(heard.heard(7), "x");
    EXPECT_EQ(heard.heard(8), "");
    EXPECT_EQ(heard.heard(0), "");
}

TEST(Publications, a_datagram_that_was_overtaken_brings_nothing_back) {
    Publications heard;
    heard.hear({7, 2, "new"});
    EXPECT_FALSE(heard.hear({7, 1, "old"}));
    EXPECT_FALSE(heard.hear({6, 9, "older"}));
    EXPECT_EQ(heard.heard(7), "new");
    EXPECT_TRUE(heard.hear({7, 3, ""}));  // taken back
    EXPECT_EQ(heard.heard(7), "");
}

TEST(Publications, only_what_makes_sense_is_heard) {
    EXPECT_TRUE(makes_sense(Publication{1, 1, "x"}));
    EXPECT_FALSE(makes_sense(Publication{0, 1, "x"}));
    EXPECT_FALSE(makes_sense(Publication{1, 0, "x"}));
    EXPECT_FALSE(makes_sense(Publication{1, 1, "\x1b[2J"}));
}

bool all_see(Party& party, const std::string& value) {
    return party.wait_for([&] {
        for (const char* name : {"a", "b", "c"})
            if (party.node(name).status().lease.value != value) return false;
        return true;
    });
}

TEST(PublishedValue, is_seen_by_all_members_with_the_leaders_token) {
    Party party;
    for (const std::string name : {"a", "b", "c"}) party.invite(name, {{"publish", "of " + name}});
    ASSERT_TRUE(party.wait_for_leader());
    const std::string first = party.leader();
    ASSERT_TRUE(all_see(party, "of " + first));
    EXPECT_EQ(party.node(party.follower()).status().lease.token,
              party.leading().status().lease.token);
    EXPECT_THAT(leader_json(party.node(party.follower()).status()),
                HasSubstr("\"value\":\"of " + first + "\"}"));
    ASSERT_EQ(party.leading().publish("another"), "");
    ASSERT_TRUE(all_see(party, "another"));
    ASSERT_EQ(party.leading().resign({}), "");
    ASSERT_TRUE(party.wait_for([&] { return !party.leader().empty() && party.leader() != first; }));
    EXPECT_TRUE(all_see(party, "of " + party.leader()));
}

TEST(PublishedValue, reaches_a_member_that_was_away) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string away = party.follower();
    party.lose(away);
    ASSERT_EQ(party.leading().publish("news"), "");
    party.invite(away);
    EXPECT_TRUE(all_see(party, "news"));
}

TEST(PublishedValue, of_a_node_that_does_not_lead_is_seen_by_nobody) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_EQ(party.node(party.follower()).publish("mine"), "");
    ASSERT_EQ(party.leading().publish("the leader's"), "");
    EXPECT_TRUE(all_see(party, "the leader's"));
    EXPECT_THAT(party.leading().publish("\x1b"), HasSubstr("without control characters"));
    EXPECT_TRUE(all_see(party, "the leader's"));
}

// The leader repeats its value while it leads, because a datagram may be lost.
TEST(PublishedValue, is_repeated) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    ASSERT_EQ(party.leading().publish("news"), "");
    int heard = 0;
    const Config& config = party.leading().config();
    Post listener(party.loop,
                  {.group = config.group,
                   .keys = read_group_keys(config, true),
                   .identity = 4711,
                   .local = *net::parse_address("127.0.0.1"),
                   .meeting = config.meeting},
                  {[&](const Delivery& delivery) {
                       const auto count = [&]<class Message>(const Message&) {
                           heard += std::same_as<Message, Publication> ? 1 : 0;
                       };
                       if (delivery.envelope.kind == wire::Kind::agent)
                           static_cast<void>(
                               wire::read_body(AgentMessages{}, body_of(delivery.envelope), count));
                   },
                   [](const Receiver&, bool) {}});
    EXPECT_TRUE(party.wait_for([&] { return heard >= 3; }));
}

}  // namespace publication_test
}  // namespace conclave::agent
