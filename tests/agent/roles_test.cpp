// Observers, groups without a quorum, and nodes that meet by broadcast.
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace roles_test {

using std::chrono::milliseconds;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Config made(std::vector<options::Given> given, std::vector<std::string> command = {}) {
    given.push_back({"group", "g", "--group"});
    given.push_back({"name", "o", "--name"});
    return make_config(given, std::move(command));
}
std::string refusal(const std::vector<options::Given>& given,
                    std::vector<std::string> command = {}) {
    try {
        made(given, std::move(command));
    } catch (const ConfigRefusal& refused) {
        return refused.sentence;
    }
    return {};
}

TEST(Observer, needs_no_roster_and_is_not_in_one) {
    const options::Given observer{"observer", "true", "--observer"};
    EXPECT_TRUE(made({observer}).observer);
    EXPECT_TRUE(made({observer, {"members", "a,b,c", "--members"}}).observer);
    EXPECT_THAT(refusal({observer, {"members", "a,b,o", "--members"}}), HasSubstr("no member"));
    EXPECT_THAT(refusal({observer, {"witness", "true", "--witness"}}), HasSubstr("--witness"));
    EXPECT_THAT(refusal({observer}, {"./job"}), HasSubstr("runs no command"));
}

TEST(Observer, sees_who_leads_and_under_which_token_and_is_no_member) {
    Party party;
    party.invite_all();
    Node& observer = party.invite("o", {{"observer", "true"}});
    ASSERT_TRUE(party.wait_for_leader());
    ASSERT_TRUE(party.wait_for(
        [&] { return observer.status().lease.token == party.leading().status().lease.token; }));
    const NodeStatus status = observer.status();
    EXPECT_EQ(status.state, "observer");
    EXPECT_THAT(status.remark, HasSubstr("neither votes nor leads"));
    EXPECT_EQ(status.members.size(), 3u);
    EXPECT_FALSE(status.lease.amnesiac);
    EXPECT_THAT(to_text(status), Not(HasSubstr("lease")));
    EXPECT_EQ(party.leading().status().members.size(), 3u);
    EXPECT_THAT(party.leading().status().lease.promises, Not(Contains("o")));
    EXPECT_EQ(observer.resign(""), "this node does not lead");
}

TEST(Observer, follows_the_next_leader_and_does_not_help_to_elect_one) {
    Party party;
    party.invite_all();
    Node& observer = party.invite("o", {{"observer", "true"}});
    ASSERT_TRUE(party.wait_for_leader());
    const std::string first = party.leader();
    party.lose(first);
    ASSERT_TRUE(party.wait_for([&] { return !party.leader().empty() && party.leader() != first; }));
    ASSERT_TRUE(party.wait_for_leader());
    party.lose(party.leader());  // one member and the observer are two of four, and no majority
    ASSERT_TRUE(party.wait_for([&] { return observer.status().leader.empty(); }));
    const Time end = net::boot_time() + milliseconds(1500);
    while (net::boot_time() < end) {
        party.loop.step(milliseconds(5));
        ASSERT_EQ(party.leader(), "");
    }
    EXPECT_EQ(observer.status().state, "leaderless");
}

TEST(NoQuorum, a_member_that_is_left_alone_leads_and_says_what_that_means) {
    Party party(Words{{"no-quorum", "true"}});
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string last = party.follower();
    for (const char* name : {"a", "b", "c"})
        if (name != last) party.lose(name);
    ASSERT_TRUE(party.wait_for([&] { return party.leader() == last; }));
    EXPECT_THAT(party.node(last).status().remark, HasSubstr("two may lead at once"));
    const Bound bound = party.node(last).bound();
    EXPECT_TRUE(bound.no_quorum);
    EXPECT_GE(bound.overlap_ns, milliseconds(75));  // a heartbeat
    EXPECT_THAT(to_text(bound), HasSubstr("as long as members are cut off"));
}

TEST(NoQuorum, with_a_quorum_a_member_that_is_left_alone_does_not_lead) {
    Party party;
    party.invite("a");
    for (int i = 0; i < 200; ++i) party.loop.step(milliseconds(5));
    EXPECT_EQ(party.leader(), "");
    EXPECT_EQ(party.node("a").bound().overlap_ns, Duration{});
}

TEST(NoQuorum, of_two_leaders_that_meet_the_lesser_token_goes) {
    Party apart(Words{{"no-quorum", "true"}});
    apart.invite("a");
    ASSERT_TRUE(apart.wait_for_leader());
    apart.invite("b", {{"priority", "9"}});
    ASSERT_TRUE(apart.wait_for_leader());  // all follow one of them
}

TEST(NoQuorum, members_with_and_without_warn_each_other) {
    Party party;
    party.invite("a");
    party.invite("b", {{"no-quorum", "true"}});
    const auto warned = [&] { return party.node("a").examine(); };
    ASSERT_TRUE(party.wait_for([&] {
        for (const std::string& each : warned())
            if (each.find("--no-quorum on") != std::string::npos) return true;
        return false;
    }));
}

TEST(Broadcast, nodes_find_each_other_in_the_subnet) {
    Party party(Words{{"broadcast", "true"}});
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    for (const std::string& each : party.leading().examine())
        EXPECT_THAT(each, Not(HasSubstr("broadcast")));
}

TEST(Broadcast, is_refused_where_it_cannot_be) {
    const options::Given broadcast{"broadcast", "true", "--broadcast"};
    EXPECT_THAT(refusal({broadcast, {"members", "o=10.0.0.1,p=10.0.0.2", "--members"}}),
                HasSubstr("choose one"));
    EXPECT_THAT(
        refusal({broadcast, {"expect", "3", "--expect"}, {"meeting", "[ff02::7676]", "--meeting"}}),
        HasSubstr("needs IPv4"));
}

}  // namespace roles_test
}  // namespace conclave::agent
