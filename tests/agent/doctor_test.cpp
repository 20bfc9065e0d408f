// What a node finds wrong in and around itself.
#include <thread>

#include "conclave/agent/report/lately.hpp"
#include "conclave/agent/report/why.hpp"
#include "conclave/wire/group_key.hpp"
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace doctor_test {

using std::chrono::milliseconds, std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> findings_of(Party& party, const std::string& name) {
    party.node(name).question_peers();
    const Time end = net::boot_time() + milliseconds(150);
    while (net::boot_time() < end) party.loop.step(milliseconds(5));
    auto findings = party.node(name).examine();
    // This machine's own lateness is another test's matter.
    std::erase_if(findings, [](const auto& each) { return each.starts_with("this machine"); });
    return findings;
}

TEST(Doctor, nothing_is_found_where_nothing_is_wrong) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    for (const char* name : {"a", "b", "c"})
        EXPECT_THAT(findings_of(party, name), testing::IsEmpty()) << name;
}

TEST(Doctor, unequal_times_are_found) {
    Party party;
    party.invite("a");
    party.invite("b");
    party.invite("c", {{"heartbeat", "50ms"}});
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_THAT(findings_of(party, "a"),
                Contains("'c' has --heartbeat 50ms, this node 75ms: give all nodes the same"));
}

// A port for this test alone: members that know each other's addresses have it on 127.0.0.1 to .3.
const std::string port = std::to_string(20'000 + net::random_number() % 20'000);
std::string addresses() {
    return "a=127.0.0.1:" + port + ",b=127.0.0.2:" + port + ",c=127.0.0.3:" + port;
}

bool is_found(Party& party, const std::string& name, const std::string& words) {
    return party.wait_for([&] {
        const auto findings = party.node(name).examine();
        return std::any_of(findings.begin(), findings.end(), [&](const std::string& each) {
            return each.find(words) != std::string::npos;
        });
    });
}

TEST(Doctor, a_node_without_the_key_is_found_by_those_who_have_it) {
    const conclave::tests::Folder folder;
    ASSERT_TRUE(std::holds_alternative<wire::Key>(wire::make_key_file(folder / "key")));
    Party party({}, addresses());
    party.invite("a", {{"key", folder / "key"}});
    party.invite("c", {{"insecure", "true"}});
    EXPECT_TRUE(is_found(party, "a", "is not sealed: perhaps a node without --key"));
    EXPECT_TRUE(is_found(party, "c", "sealed, and this node has no key"));
}

TEST(Doctor, a_node_with_another_key_is_told_in_the_log_at_once_and_once) {
    const conclave::tests::Folder folder;
    for (const char* name : {"key", "other"})
        ASSERT_TRUE(std::holds_alternative<wire::Key>(wire::make_key_file(folder / name)));
    testing::internal::CaptureStderr();
    Party party({}, addresses());
    party.invite("a", {{"key", folder / "key"}});
    party.invite("b", {{"key", folder / "other"}});
    const Time began = net::boot_time();
    const auto heard = [&] { return party.node("a").status().traffic.dropped.size() > 0; };
    EXPECT_TRUE(party.wait_for(heard));
    EXPECT_LT(net::boot_time() - began, seconds(1));
    const Time end = net::boot_time() + milliseconds(500);
    while (net::boot_time() < end) party.loop.step(milliseconds(5));
    const std::string log = testing::internal::GetCapturedStderr();
    const std::string line = "party/a: ignored a datagram from 127.0.0.2:" + port +
                             ": it claims to be of this group and is sealed with another key";
    const auto told = log.find(line);
    EXPECT_NE(told, std::string::npos) << log;
    EXPECT_EQ(log.find("party/a: ignored", told + 1), std::string::npos) << log;
}

TEST(Doctor, forged_datagrams_are_found_and_no_member_is_blamed) {
    Party party({}, addresses());
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    net::Socket forger(*net::parse_address("127.0.0.9"), net::Socket::Use::alone);
    const auto to = *net::parse_address("127.0.0.1:" + port);
    wire::Envelope envelope{.group = wire::digest_of("party"), .sender = 7, .session = 7};
    forger.send(to, wire::seal(envelope, {}));
    forger.send(to, wire::seal(envelope, {{wire::Key::random()}}));
    envelope.version = envelope.newest = wire::spoken.newest + 1;
    forger.send(to, wire::seal(envelope, {}));
    for (const char* words :
         {"not sealed with this user's key", "claims a version that is not spoken"})
        EXPECT_TRUE(is_found(party, "a", words)) << words;
    const auto findings = findings_of(party, "a");
    EXPECT_EQ(findings.size(), 2u) << testing::PrintToString(findings);
    for (const std::string& each : findings) {
        EXPECT_THAT(
            each, testing::StartsWith("1 datagrams were ignored in the last minute: each claims"));
        EXPECT_THAT(each, testing::EndsWith("; or somebody forges them"));
        for (const char* name : {"'a'", "'b'", "'c'"}) EXPECT_THAT(each, Not(HasSubstr(name)));
    }
}

TEST(Doctor, a_missing_member_is_found) {
    Party party;
    party.invite("a");
    party.invite("b");
    EXPECT_THAT(findings_of(party, "a"), Contains(HasSubstr("'c' was never heard")));
}

TEST(Doctor, whoever_does_not_answer_is_found_by_followers_too) {
    Party party(Words{{"detect", "2s"}});  // a busy machine changes no leader
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string lost = party.follower();
    party.lose(lost);
    const std::string sees = party.follower();  // the other one
    findings_of(party, sees);                   // what was on its way has come
    EXPECT_THAT(findings_of(party, sees),
                Contains(testing::MatchesRegex("'" + lost + "' has been silent for [0-9] s: .*")));
    EXPECT_THAT(to_text(party.node(sees).status().members),
                testing::ContainsRegex(lost + " +heard [0-9] s ago"));
    const auto alive = [&] {
        for (const MemberStatus& each : party.leading().status().members)
            if (each.name == lost) return each.alive;
        return true;
    };
    ASSERT_TRUE(party.wait_for([&] { return !alive(); }));
    EXPECT_THAT(findings_of(party, party.leader()),
                Contains(testing::MatchesRegex("'" + lost + "' has been silent for [0-9] s: .*")));
}

TEST(Doctor, a_group_that_is_still_forming_is_not_well) {
    Party party({{"expect", "3"}}, "");
    party.invite("a");
    EXPECT_THAT(findings_of(party, "a"),
                Contains("the group is still forming: waits for 3 nodes, knows of a"));
}

TEST(Doctor, nodes_with_other_times_promise_nothing_to_each_other) {
    Party party;
    party.invite("a");
    party.invite("b", {{"detect", "900ms"}});
    EXPECT_THAT(findings_of(party, "a"),
                Contains("'b' has --detect 900ms, this node 300ms: they promise each other "
                         "nothing; give all nodes the same"));
}

TEST(Doctor, a_pause_is_no_lateness) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    std::this_thread::sleep_for(milliseconds(1500));  // of each some beat was due
    const Time end = net::boot_time() + milliseconds(300);
    while (net::boot_time() < end) party.loop.step(milliseconds(5));
    for (const char* name : {"a", "b", "c"})
        EXPECT_LT(party.node(name).status().fitness.late_ns, milliseconds(300));
}

TEST(Doctor, the_first_bad_answer_of_a_health_check_is_told) {
    Party party({{"health", "false"}}, "a");
    testing::internal::CaptureStderr();
    Node& node = party.invite("a");
    EXPECT_THAT(node.examine(), Contains("this node is unhealthy: no check has answered yet"));
    node.set_healthy(false, "the check exited with code 1");
    node.set_healthy(false, "the check exited with code 1");
    const std::string log = testing::internal::GetCapturedStderr();
    const auto told = log.find("is unhealthy: the check exited with code 1");
    EXPECT_NE(told, std::string::npos) << log;
    EXPECT_EQ(log.find("is unhealthy", told + 1), std::string::npos) << log;
    ASSERT_TRUE(party.wait_for([&] { return node.status().state != "forming"; }));
    EXPECT_THAT(to_reasons(node.status()),
                HasSubstr("it is unhealthy (the check exited with code 1)"));
}

TEST(Doctor, a_new_group_of_which_one_is_missing_says_whom_it_waits_for) {
    testing::internal::CaptureStderr();
    Party party;
    party.invite("a");
    party.invite("b");
    const Time end = net::boot_time() + milliseconds(1200);  // of four times --detect
    while (net::boot_time() < end) party.loop.step(milliseconds(5));
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("waits for c: this node has no"));
    EXPECT_EQ(party.leader(), "");
    EXPECT_THAT(to_reasons(party.node("a").status()), HasSubstr("a: cannot stand yet: it has no"));
}

TEST(Lately, what_was_counted_long_ago_is_forgotten) {
    Lately lately;
    PostCounts counts;
    const auto at = static_cast<std::size_t>(wire::Drop::forged);
    const auto forged = [&] { return lately.dropped(counts, wire::Drop::forged); };
    counts.dropped[at] = 5;
    counts.unsent = 2;
    lately.note(counts, seconds(1000));
    EXPECT_EQ(forged(), 5u);
    lately.note(counts, seconds(1010));  // too soon
    EXPECT_EQ(forged(), 5u);
    counts.dropped[at] = 6;
    lately.note(counts, seconds(1040));
    EXPECT_EQ(forged(), 1u);
    EXPECT_EQ(lately.unsent(counts), 0u);
    lately.note(counts, seconds(1080));
    EXPECT_EQ(forged(), 0u);
}

}  // namespace doctor_test
}  // namespace conclave::agent
