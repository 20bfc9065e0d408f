// Both engines are the same cell to whoever uses them: one test of real servers that both pass.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <sstream>
#include <thread>

#include "conclave/engines/base64.hpp"
#include "conclave/engines/port.hpp"
#include "conclave/engines/value.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::engines {
namespace port_test {

using namespace std::chrono_literals;

// tests/engines/servers.py, while this lives.
class Servers {
public:
    explicit Servers(std::vector<std::string> words) {
        std::array<int, 2> input{}, output{};
        if (pipe(input.data()) != 0 || pipe(output.data()) != 0) return;
        child_ = fork();
        if (child_ == 0) {
            dup2(input[0], 0);
            dup2(output[1], 1);
            for (const int fd : {input[0], input[1], output[0], output[1]}) close(fd);
            words.insert(words.begin(), {"python3", "-B", "tests/engines/servers.py"});
            std::vector<char*> arguments;
            for (std::string& word : words) arguments.push_back(word.data());
            arguments.push_back(nullptr);
            execvp("python3", arguments.data());
            _exit(127);
        }
        close(input[0]);
        close(output[1]);
        input_ = input[1];
        std::string line;
        for (char c = 0; read(output[0], &c, 1) == 1 && c != '\n';) line += c;
        close(output[0]);
        std::istringstream(line) >> via >> credentials;
    }
    ~Servers() {
        close(input_);
        waitpid(child_, nullptr, 0);
    }
    Servers(const Servers&) = delete;
    Servers& operator=(const Servers&) = delete;

    std::string via{}, credentials{};

private:
    pid_t child_ = -1;
    int input_ = -1;
};

Access access_of(const Servers& servers, const std::string& cell) {
    Access access;
    EXPECT_EQ(read_via(servers.via, access.via), "");
    access.cell = cell;
    access.promise = 2s;
    access.patience = 5s;
    if (servers.credentials != "-") access.credentials = servers.credentials;
    return access;
}
std::unique_ptr<Port> port_of(const Access& access) {
    std::string problem;
    auto port = open_port(access, problem);
    EXPECT_EQ(problem, "");
    return port;
}

void expect_founded(const Servers& servers) {
    const auto port = port_of(access_of(servers, "founded"));
    const Outcome first = port->read();
    ASSERT_TRUE(first.known) << first.problem;
    Value value;
    ASSERT_TRUE(read_value(first.value, value));
    EXPECT_EQ(value.claim.life, founding_life);
    EXPECT_EQ(value.claim.promise, 2s);
    EXPECT_EQ(port_of(access_of(servers, "founded"))->read().version, first.version);
}

void expect_compared(const Servers& servers) {
    const auto port = port_of(access_of(servers, "compared"));
    const Outcome first = port->read();
    ASSERT_TRUE(first.known) << first.problem;
    const Outcome second = port->compare_and_set(first.version, "two");
    ASSERT_TRUE(second.known) << second.problem;
    EXPECT_GT(second.version, first.version);
    EXPECT_EQ(second.value, "two");
    const Outcome stale = port->compare_and_set(first.version, "three");
    ASSERT_TRUE(stale.known) << stale.problem;
    EXPECT_EQ(stale.version, second.version);
    EXPECT_EQ(stale.value, "two");
    EXPECT_EQ(port->read().value, "two");
}

// Two threads write on one version, again and again: never do both succeed.
void expect_one_winner(const Servers& servers) {
    const Access access = access_of(servers, "contended");
    const auto judge = port_of(access);
    for (int round = 0; round < 20; ++round) {
        const std::uint64_t version = judge->read().version;
        std::array<Outcome, 2> outcomes{};
        std::array<std::thread, 2> writers;
        for (std::size_t i = 0; i < 2; ++i)
            writers[i] = std::thread([&, i] {
                outcomes[i] = port_of(access)->compare_and_set(version, "by " + std::to_string(i));
            });
        for (std::thread& each : writers) each.join();
        ASSERT_TRUE(outcomes[0].known && outcomes[1].known);
        EXPECT_EQ(outcomes[0].value, outcomes[1].value);
        EXPECT_EQ(outcomes[0].version, outcomes[1].version);
    }
}

void expect_watched(const Servers& servers) {
    const Access access = access_of(servers, "watched");
    const auto port = port_of(access), other = port_of(access);
    const std::uint64_t version = port->read().version;
    EXPECT_FALSE(port->watch(version, 200ms));
    std::thread writer([&] {
        std::this_thread::sleep_for(300ms);
        EXPECT_TRUE(other->compare_and_set(version, "changed").known);
    });
    const Time began = net::boot_time();
    bool seen = false;
    while (!seen && net::boot_time() - began < 20s) seen = port->watch(version, 5s);
    writer.join();
    EXPECT_TRUE(seen);
    EXPECT_TRUE(port_of(access)->watch(version, 5s));  // it happened before
}

TEST(Engines, etcd_is_a_cell) {
    const Servers servers({"etcd", "3"});
    expect_founded(servers);
    expect_compared(servers);
    expect_one_winner(servers);
    expect_watched(servers);
    EXPECT_TRUE(port_of(access_of(servers, "any"))->examine().empty());
}

TEST(Engines, postgresql_is_a_cell) {
    const Servers servers({"postgresql"});
    expect_founded(servers);
    expect_compared(servers);
    expect_one_winner(servers);
    expect_watched(servers);
    EXPECT_TRUE(port_of(access_of(servers, "any"))->examine().empty());
}

TEST(Engines, an_etcd_alone_is_found) {
    const Servers servers({"etcd", "1"});
    const auto findings = port_of(access_of(servers, "any"))->examine();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_NE(findings.front().find("etcd has 1 server"), std::string::npos);
}

TEST(Engines, a_server_that_is_not_there_is_a_sentence_in_time) {
    for (const std::string via : {"etcd://127.0.0.1:9/x", "postgresql://127.0.0.1:9/x"}) {
        Access access;
        ASSERT_EQ(read_via(via, access.via), "");
        access.cell = "any";
        access.patience = 500ms;
        const Time began = net::boot_time();
        const auto port = port_of(access);
        const Outcome outcome = port->read();
        EXPECT_FALSE(outcome.known);
        EXPECT_NE(outcome.problem, "");
        EXPECT_FALSE(port->examine().empty());
        EXPECT_LT(net::boot_time() - began, 5s);
    }
}

TEST(Engines, credentials_that_others_can_read_are_refused) {
    char path[] = "/tmp/conclave-credentials-XXXXXX";
    const int file = mkstemp(path);
    ASSERT_EQ(write(file, "me\nsecret\n", 10), 10);
    fchmod(file, 0644);
    close(file);
    Access access;
    ASSERT_EQ(read_via("etcd://127.0.0.1/x", access.via), "");
    access.credentials = path;
    std::string problem;
    EXPECT_EQ(open_port(access, problem), nullptr);
    EXPECT_NE(problem.find("chmod 600"), std::string::npos);
    unlink(path);
}

TEST(Engines, an_address_is_read_or_refused_with_a_sentence) {
    Via via;
    EXPECT_EQ(read_via("etcd://a,b:23,[::1]:5/one/two", via), "");
    EXPECT_EQ(via.endpoints.size(), 3u);
    EXPECT_EQ(text(via.endpoints[2]), "[::1]:5");
    EXPECT_EQ(via.endpoints[0].port, 2379);
    EXPECT_EQ(via.path, "one/two");
    EXPECT_EQ(read_via("postgresql://db/jobs", via), "");
    EXPECT_EQ(via.endpoints[0].port, 5432);
    for (const std::string bad :
         {"", "etcd://", "etcd://a", "etcd://a/", "etcd:///x", "etcd://a,/x", "etcd://a:0/x",
          "etcd://a:99999/x", "etcd://a,a/x", "zookeeper://a/x", "etcd://[::1/x", "etcd://a b/x",
          "etcd://a/x?y", "postgresql://me:secret@a/x"})
        EXPECT_NE(read_via(bad, via), "") << bad;
    EXPECT_EQ(read_via("postgresql://me:secret@a/x", via).find("secret"), std::string::npos);
}

TEST(Engines, a_value_is_read_as_it_was_written_or_not_at_all) {
    const Value held{{77, 3, 400ms}, "a"};
    Value again;
    ASSERT_TRUE(read_value(to_text(held), again));
    EXPECT_EQ(again.claim, held.claim);
    EXPECT_EQ(again.holder, "a");
    ASSERT_TRUE(read_value(to_text(Value{}), again));
    EXPECT_TRUE(again.claim.free());
    for (const std::string bad :
         {"", "conclave 1", "conclave 2 1 1 1 a", "conclave 1 -1 1 1 a", "conclave 1 1 1 -1 a",
          "conclave 1 0 1 5 a", "conclave 1 1 1 1 a b"})
        EXPECT_FALSE(read_value(bad, again)) << bad;
    EXPECT_EQ(from_base64(to_base64("any bytes \xff")), "any bytes \xff");
}

}  // namespace port_test
}  // namespace conclave::engines
