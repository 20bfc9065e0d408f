#include "conclave/agent/work/health.hpp"

#include <sys/socket.h>

#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace health_test {

using conclave::tests::Folder;
using conclave::tests::write_file;
using std::chrono::milliseconds;
using testing::HasSubstr;

class HealthTest : public testing::Test {
protected:
    // The first answer of a check.
    std::pair<bool, std::string> ask(const std::string& check) {
        std::optional<std::pair<bool, std::string>> answer;
        Health health(loop, {*parse_check(check), milliseconds(10), milliseconds(500)},
                      [&](bool well, const std::string& words) { answer = {well, words}; });
        health.start();
        const Time end = net::boot_time() + std::chrono::seconds(20);
        while (!answer && net::boot_time() < end) loop.step(milliseconds(20));
        return answer.value_or(std::pair{false, "nothing was said"});
    }
    net::Loop loop;
};

// Answers everybody with the same words; without words it only lets them in.
class Server {
public:
    Server(net::Loop& loop, std::string words)
        : loop_(loop), words_(std::move(words)), socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        const net::RawAddress any = net::to_raw(*net::parse_address("127.0.0.1"));
        EXPECT_EQ(bind(socket_.get(), any.get(), any.size), 0);
        EXPECT_EQ(listen(socket_.get(), 8), 0);
        loop.watch(socket_.get(), [this] {
            guest_ = net::Descriptor(accept(socket_.get(), nullptr, nullptr));
            if (words_.empty()) return;
            EXPECT_EQ(send(guest_.get(), words_.data(), words_.size(), MSG_NOSIGNAL),
                      static_cast<ssize_t>(words_.size()));
        });
    }
    ~Server() { loop_.forget(socket_.get()); }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    std::string place() const {
        net::RawAddress raw;
        raw.size = sizeof raw.storage;
        getsockname(socket_.get(), raw.get(), &raw.size);
        return net::text(*net::from_raw(raw.get()));
    }

private:
    net::Loop& loop_;
    std::string words_;
    net::Descriptor socket_, guest_;
};

TEST_F(HealthTest, a_check_is_a_command_a_tcp_port_or_a_web_page) {
    EXPECT_TRUE(std::holds_alternative<ShellCheck>(*parse_check("curl -fsS https://x")));
    EXPECT_EQ(std::get<ConnectCheck>(*parse_check("tcp:localhost:80")).request, "");
    EXPECT_THAT(std::get<ConnectCheck>(*parse_check("http://10.0.0.1:8080/ready?x=1")).request,
                testing::StartsWith("GET /ready?x=1 HTTP/1.0\r\nHost: 10.0.0.1:8080\r\n"));
    EXPECT_EQ(std::get<ConnectCheck>(*parse_check("http:10.0.0.1:8080/ready")).request,
              std::get<ConnectCheck>(*parse_check("http://10.0.0.1:8080/ready")).request);
    for (const char* wrong :
         {"", "http:", "http:x", "tcp:example.org:80", "tcp:10.0.0.1", "http://example.org/",
          "https://10.0.0.1/", "ftp://x", "http://10.0.0.1/a b"})
        EXPECT_FALSE(parse_check(wrong)) << wrong;
}

TEST_F(HealthTest, a_command_says_it_by_its_exit_code_and_has_its_time) {
    EXPECT_TRUE(ask("true").first);
    EXPECT_EQ(ask("exit 3"), std::pair(false, std::string("exited with code 3")));
    EXPECT_EQ(ask("sleep 600").second, "took longer than 500ms");
}

TEST_F(HealthTest, a_port_is_well_when_it_lets_us_in) {
    std::string place;
    {
        const Server server(loop, {});
        place = server.place();
        EXPECT_TRUE(ask("tcp:" + place).first);
    }
    EXPECT_EQ(ask("tcp:" + place).second, "Connection refused");
}

TEST_F(HealthTest, a_page_is_well_when_it_answers_200) {
    const Server good(loop, "HTTP/1.1 204 No Content\r\n\r\n"), bad(loop, "HTTP/1.0 503 No\r\n"),
        strange(loop, "SSH-2.0-OpenSSH_9.2"), silent(loop, {});
    EXPECT_TRUE(ask("http://" + good.place()).first);
    EXPECT_EQ(ask("http://" + bad.place()).second, "answered 503");
    EXPECT_EQ(ask("http://" + strange.place()).second, "does not speak HTTP");
    EXPECT_EQ(ask("http://" + silent.place()).second, "did not answer in time");
}

TEST_F(HealthTest, one_bad_answer_changes_nothing_three_do_and_two_good_ones_mend_it) {
    const Folder folder;
    write_file(folder / "answers", "0 1 0 1 1 1 0 0");
    const std::string check = "read first rest < " + (folder / "answers") + "; echo $rest > " +
                              (folder / "answers") + "; echo x >> " + (folder / "count") +
                              "; exit ${first:-0}";
    std::vector<std::pair<bool, std::size_t>> changes;
    const auto asked = [&] { return conclave::tests::read_file(folder / "count").size() / 2; };
    Health health(loop, {*parse_check(check), milliseconds(10), std::chrono::seconds(20), 2, 3},
                  [&](bool well, const std::string&) { changes.emplace_back(well, asked()); });
    health.start();
    const Time end = net::boot_time() + std::chrono::seconds(30);
    while (changes.size() < 3 && net::boot_time() < end) loop.step(milliseconds(20));
    EXPECT_THAT(changes,
                testing::ElementsAre(std::pair(true, 1), std::pair(false, 6), std::pair(true, 8)));
}

// ---------------------------------------------------------------- what a node does about it

TEST(Party, an_unhealthy_leader_hands_over_and_does_not_stand_again) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string first = party.leader();
    const auto token = party.leading().status().lease.token;
    party.leading().set_healthy(false, "the check failed");
    ASSERT_TRUE(party.wait_for([&] { return party.leader() != first && party.wait_for_leader(); }));
    EXPECT_GT(party.leading().status().lease.token, token);
    EXPECT_THAT(party.node(first).status().lease.terms.back().how, HasSubstr("is unhealthy"));
    const std::string second = party.leader();
    party.leading().set_healthy(false, "the check failed");
    ASSERT_TRUE(
        party.wait_for([&] { return party.leader() != second && party.wait_for_leader(); }));
    EXPECT_NE(party.leader(), first);
}

// TEMPO's master sends other candidates home; it must not while it cannot lead itself.
TEST(Party, an_unhealthy_master_keeps_nobody_from_leading_when_its_heir_is_gone) {
    Party party;
    for (const char* name : {"a", "b", "c"}) party.invite(name, {{"algorithm", "tempo"}});
    ASSERT_TRUE(party.wait_for_leader());
    const std::string first = party.leader();
    party.leading().set_healthy(false, "the check failed");
    ASSERT_TRUE(party.wait_for([&] { return party.leader() != first && party.wait_for_leader(); }));
    const std::string second = party.leader();
    party.lose(second);
    ASSERT_TRUE(
        party.wait_for([&] { return !party.leader().empty() && party.leader() != second; }));
    EXPECT_NE(party.leader(), first);
    party.invite(second, {{"algorithm", "tempo"}});
    party.leading().set_healthy(false, "the check failed");
    party.node(first).set_healthy(true, "the check is content");  // it takes part again
    EXPECT_TRUE(
        party.wait_for([&] { return party.leader() == first || party.leader() == second; }));
}

TEST(Party, a_node_whose_check_has_not_answered_does_not_lead) {
    Party party;
    party.invite("a");
    party.invite("b", {{"priority", "9"}, {"health", "true"}});
    party.invite("c", {{"priority", "8"}, {"health", "true"}});
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_EQ(party.leader(), "a");
}

TEST(Party, the_last_healthy_node_that_falls_ill_goes_on_until_another_is_well) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string first = party.leader();
    for (const char* name : {"a", "b", "c"})
        if (name != first) party.node(name).set_healthy(false, "the check failed");
    ASSERT_TRUE(party.wait_for([&] {
        int ill = 0;
        for (const MemberStatus& member : party.node(first).status().members)
            ill += member.healthy ? 0 : 1;
        return ill == 2;
    }));
    party.node(first).set_healthy(false, "the check failed");
    const Time end = net::boot_time() + std::chrono::milliseconds(600);
    while (net::boot_time() < end) party.loop.step(milliseconds(5));
    EXPECT_EQ(party.leader(), first);
    const std::string well = first == "a" ? "b" : "a";
    party.node(well).set_healthy(true, "the check is content");
    EXPECT_TRUE(party.wait_for([&] { return party.leader() == well; }));
}

TEST(Party, a_paused_follower_does_not_stand_and_a_paused_leader_stays) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string first = party.leader();
    party.node(first).set_paused(true);
    party.node(first).set_healthy(false, "the check failed");
    const std::string other = party.follower();
    party.node(other).set_paused(true);
    const Time end = net::boot_time() + std::chrono::milliseconds(600);
    while (net::boot_time() < end) party.loop.step(milliseconds(5));
    EXPECT_EQ(party.leader(), first);
    EXPECT_EQ(party.node(first).resign(other), "'" + other + "' is paused");
    party.node(first).set_paused(false);
    ASSERT_TRUE(party.wait_for([&] { return !party.leader().empty() && party.leader() != first; }));
    EXPECT_NE(party.leader(), other);
}

}  // namespace health_test
}  // namespace conclave::agent
