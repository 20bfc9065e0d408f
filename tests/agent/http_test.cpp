#include "conclave/agent/report/http.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <atomic>
#include <list>
#include <thread>

#include <nlohmann/json.hpp>

#include "conclave/agent/report/control.hpp"
#include "conclave/net/http_request.hpp"
#include "conclave/net/notify.hpp"
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace http_test {

using net::HttpRequest;
using net::Notify;
using net::read_request;
using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using State = HttpRequest::State;

TEST(HttpRequest, a_get_is_understood_once_its_head_is_whole) {
    const std::string whole = "GET /status?pretty HTTP/1.1\r\nHost: x\r\n\r\n";
    for (std::size_t i = 0; i < whole.size(); ++i)
        EXPECT_EQ(read_request(whole.substr(0, i)).state, State::partial) << i;
    const HttpRequest request = read_request(whole);
    EXPECT_EQ(request.state, State::complete);
    EXPECT_EQ(request.path, "/status");
    EXPECT_FALSE(request.head);
    EXPECT_TRUE(read_request("HEAD / HTTP/1.0\n\n").head);
}

TEST(HttpRequest, what_is_none_is_refused) {
    const auto code = [](const std::string& text) {
        const HttpRequest request = read_request(text);
        return request.state == State::refused ? request.code : 0;
    };
    EXPECT_EQ(code("POST /leader HTTP/1.1\r\n\r\n"), 405);
    EXPECT_EQ(code("GET /leader\r\n\r\n"), 400);
    EXPECT_EQ(code("GET leader HTTP/1.1\r\n\r\n"), 400);
    EXPECT_EQ(code("GET /a\x01 HTTP/1.1\r\n\r\n"), 400);
    EXPECT_EQ(code("GET / HTTP/2.0\r\n\r\n"), 505);
    EXPECT_EQ(code(std::string(5000, 'x')), 431);
    EXPECT_EQ(code("GET / HTTP/1.1\r\nX: " + std::string(5000, 'x') + "\r\n\r\n"), 431);
}

TEST(HttpRequest, the_name_that_the_caller_has_for_the_server_is_read) {
    const auto host = [](const std::string& lines) {
        return read_request("GET / HTTP/1.1\r\n" + lines + "\r\n").host;
    };
    EXPECT_EQ(host(""), "");
    EXPECT_EQ(host("Accept: */*\r\nhOsT:  Example.org:7677 \r\n"), "Example.org");
    EXPECT_EQ(host("Host: [::1]:7677\r\n"), "[::1]");
    EXPECT_EQ(read_request("GET / HTTP/1.1\nHost: a\n\n").host, "a");
    for (const char* bad : {"Host: a\r\nHost: b\r\n", "Host: a b\r\n", "Host: a\x01z\r\n"})
        EXPECT_EQ(read_request("GET / HTTP/1.1\r\n" + std::string(bad) + "\r\n").code, 400) << bad;
}

TEST(HttpRequest, a_server_is_known_by_its_addresses_localhost_and_the_names_given) {
    const std::vector<std::string> names{"conclave.example.org"};
    for (const char* good :
         {"", "127.0.0.1", "10.1.2.3", "[::1]", "localhost", "LocalHost", "Conclave.Example.org"})
        EXPECT_TRUE(net::is_known_host(good, names)) << good;
    for (const char* bad : {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example",
                            "example.org", "[evil]", "[]", "."})
        EXPECT_FALSE(net::is_known_host(bad, names)) << bad;
}

// A caller in the same thread: the loop turns while it waits.
class Caller {
public:
    Caller(Party& party, const Http& http)
        : party_(party), socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        const net::RawAddress to = net::to_raw(http.local());
        EXPECT_EQ(connect(socket_.get(), to.get(), to.size), 0);
    }
    void say(const std::string& text) const {
        EXPECT_EQ(send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(text.size()));
    }
    // Half a question; the other side may have hung up.
    void mumble() const {
        [[maybe_unused]] const ssize_t sent = send(socket_.get(), "GET /sta", 8, MSG_NOSIGNAL);
    }
    // Until the text holds `end`, or the other side hangs up.
    std::string hear(const std::string& end = "\x01") {
        bool over = false;
        party_.wait_for([&] {
            std::array<char, 4096> buffer{};
            const ssize_t got = recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (got > 0) heard_.append(buffer.data(), static_cast<std::size_t>(got));
            over = got == 0;
            return over || heard_.find(end) != std::string::npos;
        });
        return heard_;
    }
    void forget() { heard_.clear(); }

private:
    Party& party_;
    net::Descriptor socket_;
    std::string heard_;
};

std::string get(Party& party, const Http& http, const std::string& path) {
    Caller caller(party, http);
    caller.say("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:7677\r\n\r\n");
    return caller.hear();
}

TEST(Http, only_the_leader_answers_200_on_leader) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const auto home = *net::parse_address("127.0.0.1");
    const Http here(party.loop, party.leading(), home);
    const Http there(party.loop, party.node(party.follower()), home);
    EXPECT_THAT(get(party, here, "/leader"), StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(get(party, there, "/leader"), StartsWith("HTTP/1.1 503 "));
    EXPECT_THAT(get(party, there, "/leader"), HasSubstr("\r\n\r\n" + party.leader() + "\n"));
    EXPECT_THAT(get(party, there, "/health"), StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(get(party, there, "/nothing"), StartsWith("HTTP/1.1 404 "));
    party.node(party.follower()).set_healthy(false, "the check failed");
    EXPECT_THAT(get(party, there, "/health"), StartsWith("HTTP/1.1 503 "));
}

TEST(Http, status_is_json_and_metrics_are_lines_that_prometheus_reads) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const Http http(party.loop, party.leading(), *net::parse_address("127.0.0.1"));
    const std::string status = get(party, http, "/status");
    const auto body = nlohmann::json::parse(status.substr(status.find("\r\n\r\n")));
    EXPECT_EQ(body["leader"], party.leader());
    EXPECT_EQ(body["members"].size(), 3u);
    const std::string token = body["lease"]["token"];  // a number would lose its last digits
    EXPECT_EQ(token, std::to_string(party.leading().status().lease.token));
    EXPECT_GT(std::stoull(token), 1ull << 53);
    const std::string metrics = get(party, http, "/metrics");
    EXPECT_THAT(metrics,
                HasSubstr("conclave_leader{group=\"party\",node=\"" + party.leader() + "\"} 1\n"));
    EXPECT_THAT(metrics, HasSubstr(",case=\"silent\"} 0."));
    EXPECT_THAT(metrics, HasSubstr(",token=\"" + token + "\"} 1\n"));
    for (const std::string& line :
         conclave::tests::lines_of(metrics.substr(metrics.find("\r\n\r\n") + 4)))
        EXPECT_THAT(line, testing::ContainsRegex("^(# (HELP|TYPE) conclave_|conclave_[a-z_]+\\{"
                                                 "[^}]*\\} [0-9.]+$)"));
}

TEST(Http, events_tell_every_change) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    Node& leader = party.leading();
    Http http(party.loop, leader, *net::parse_address("127.0.0.1"));
    leader.on_change = [&] { http.tell_watchers(); };
    Caller caller(party, http);
    caller.say("GET /events HTTP/1.1\r\n\r\n");
    EXPECT_THAT(caller.hear("\n\n"), HasSubstr("Content-Type: text/event-stream"));
    caller.forget();
    EXPECT_EQ(leader.resign(""), "");
    EXPECT_THAT(caller.hear("\"state\":\"follower\""), HasSubstr("data: {\"group\":\"party\""));
    leader.on_change = nullptr;
}

TEST(Http, idle_watchers_do_not_keep_others_from_asking) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const Http http(party.loop, party.leading(), *net::parse_address("127.0.0.1"));
    std::list<Caller> watchers;
    for (std::size_t i = 0; i < net::HttpServer::watchers_most; ++i) {
        watchers.emplace_back(party, http).say("GET /events HTTP/1.1\r\n\r\n");
        ASSERT_THAT(watchers.back().hear("\n\n"), StartsWith("HTTP/1.1 200 ")) << i;
    }
    EXPECT_THAT(get(party, http, "/leader"), StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(get(party, http, "/events"), StartsWith("HTTP/1.1 503 "));
    watchers.pop_front();
    Caller next(party, http);
    next.say("GET /events HTTP/1.1\r\n\r\n");
    EXPECT_TRUE(party.wait_for([&] { return next.hear("\n\n").starts_with("HTTP/1.1 200 "); }));
}

TEST(Http, many_watchers_make_the_node_ask_no_more_often) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const Node& node = party.leading();
    const Http http(party.loop, party.leading(), *net::parse_address("127.0.0.1"));
    std::list<Caller> watchers;
    Duration before{-1};
    std::int64_t questions = 0;
    const Time began = net::boot_time();
    while (net::boot_time() - began < milliseconds(1200)) {
        if (watchers.size() < 20)
            watchers.emplace_back(party, http).say("GET /events HTTP/1.1\r\n\r\n");
        party.loop.step(milliseconds(2));
        http_answer(node, "/doctor");
        const Duration ago = node.overview().asked_ago_ns;
        if (ago.count() >= 0 && (before.count() < 0 || ago < before)) ++questions;
        before = ago;
    }
    EXPECT_GE(questions, 2);
    const auto most = (net::boot_time() - began) / milliseconds(500) + 1;
    EXPECT_LE(questions, most);
}

TEST(Http, silent_callers_do_not_keep_others_from_asking) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const Http http(party.loop, party.leading(), *net::parse_address("127.0.0.1"));
    std::list<Caller> silent;
    for (std::size_t i = 0; i < 2 * net::HttpServer::askers_most; ++i) {
        silent.emplace_back(party, http).mumble();
        party.loop.step(milliseconds(1));
    }
    const Time began = net::boot_time();
    EXPECT_THAT(get(party, http, "/leader"), StartsWith("HTTP/1.1 200 "));
    EXPECT_LT(net::boot_time() - began, milliseconds(1000));  // and not after their time is over
}

TEST(Http, a_page_that_lets_its_name_point_here_is_refused) {
    Party party;
    Node& node = party.invite("a", {{"http", "127.0.0.1:1"}, {"http-host", "conclave.example"}});
    const Http http(party.loop, node, *net::parse_address("127.0.0.1"));
    const auto asked_as = [&](const std::string& name) {
        Caller caller(party, http);
        caller.say("GET /status HTTP/1.1\r\nHost: " + name + "\r\n\r\n");
        return caller.hear();
    };
    EXPECT_THAT(asked_as("rebound.example:7677"), StartsWith("HTTP/1.1 421 Misdirected Request"));
    EXPECT_THAT(asked_as("rebound.example"), HasSubstr("--http-host"));
    EXPECT_THAT(asked_as("rebound.example"), Not(HasSubstr("\"group\"")));
    for (const char* name : {"127.0.0.1:7677", "localhost", "conclave.example:7677"})
        EXPECT_THAT(asked_as(name), StartsWith("HTTP/1.1 200 OK")) << name;
}

TEST(Control, only_the_user_of_a_node_and_root_steer_it) {
    if (geteuid() != 0) GTEST_SKIP() << "another user needs root";
    const conclave::tests::Folder folder;
    ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
    Party party;
    const Control control(party.loop, party.invite("a"), folder / "s");
    ASSERT_EQ(chmod((folder / "s").c_str(), 0777), 0);
    const auto ask_as = [&](uid_t user, const std::string& line) {
        std::string answer;
        std::atomic<bool> over = false;
        std::thread asker([&] {
            syscall(SYS_setresuid, -1, user, -1);  // of this thread alone
            net::ask_line(folder / "s", line, [&](const std::string& each) {
                answer = each;
                return false;
            });
            over = true;
        });
        party.wait_for([&] { return over.load(); });
        asker.join();
        return answer;
    };
    for (const char* verb : {"resign", "resign b", "pause", "resume", "vouch"})
        EXPECT_THAT(ask_as(65534, verb), StartsWith("user 65534 may ask this node, but not"))
            << verb;
    EXPECT_FALSE(party.node("a").status().fitness.paused);
    EXPECT_THAT(ask_as(65534, "status"), HasSubstr("\"group\":\"party\""));
    EXPECT_EQ(ask_as(0, "pause"), "ok");
    EXPECT_TRUE(party.node("a").status().fitness.paused);
}

TEST(Http, more_callers_than_it_takes_do_not_keep_it_from_leading) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const std::string first = party.leader();
    const Http http(party.loop, party.leading(), *net::parse_address("127.0.0.1"));
    std::list<Caller> callers;
    for (int i = 0; i < 100; ++i) {
        callers.emplace_back(party, http).mumble();
        party.loop.step(milliseconds(1));
    }
    const Time end = net::boot_time() + milliseconds(500);
    while (net::boot_time() < end) party.loop.step(milliseconds(5));
    EXPECT_EQ(party.leader(), first);
    callers.clear();
    EXPECT_TRUE(
        party.wait_for([&] { return get(party, http, "/leader").starts_with("HTTP/1.1 200"); }));
}

TEST(Notify, systemd_is_told_and_its_watchdog_is_kept_quiet) {
    const conclave::tests::Folder folder;
    const std::string path = folder / "notify";
    const net::Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    setenv("NOTIFY_SOCKET", path.c_str(), 1);
    setenv("WATCHDOG_USEC", "20000", 1);
    net::Loop loop;
    const Notify notify(loop);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    notify.say("READY=1");
    std::vector<std::string> heard;
    const Time end = net::boot_time() + std::chrono::seconds(20);
    while (heard.size() < 4 && net::boot_time() < end) {
        loop.step(milliseconds(5));
        std::array<char, 100> buffer{};
        const ssize_t got = recv(socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got > 0) heard.emplace_back(buffer.data(), static_cast<std::size_t>(got));
    }
    EXPECT_THAT(heard, testing::ElementsAre("WATCHDOG=1", "READY=1", "WATCHDOG=1", "WATCHDOG=1"));
}

}  // namespace http_test
}  // namespace conclave::agent
