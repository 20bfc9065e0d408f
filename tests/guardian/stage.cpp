#include "tests/guardian/stage.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>

#include "conclave/agent/disk/former_tree.hpp"
#include "conclave/agent/disk/lock_file.hpp"
#include "conclave/core/names.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/process/pidfd.hpp"
#include "tests/paths.hpp"

namespace conclave::tests {

namespace {

using namespace std::chrono_literals;
using agent::GuardianLink;

struct Strings {
    int says, hears;
    std::uint16_t port;
    std::string folder, ticks;
};

void say(int says, const std::string& line) {
    if (write(says, (line + "\n").c_str(), line.size() + 1) < 0) _exit(8);
}

std::string spell(const GuardianLink::Event& event) {
    const std::string kind(name_of(event.kind));
    if (event.kind == GuardianLink::Event::Kind::started)
        return kind + " " + std::string(name_of(event.contain));
    return kind + " " + std::string(name_of(event.cause)) + " " + std::to_string(event.status) +
           " " + std::to_string(event.error) + " | " + agent::describe(event);
}

// Nothing that an agent does; what its guardian must not take for its death.
void hang_up() {
    for (int fd = 3; fd < 64; ++fd) {
        int type = 0;
        socklen_t size = sizeof type;
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET)
            shutdown(fd, SHUT_RDWR);
    }
}

// The agent: renews every 20 ms, says what it learns, does what it is told. Never returns.
[[noreturn]] void play_agent(const Play& play, const Strings& strings) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (play.own_mounts && (unshare(CLONE_NEWNS) != 0 ||
                            mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0))
        _exit(7);
    const agent::StateFolder place(strings.folder);
    const agent::TreeFile tree(place, "tree", false);
    const auto lock = agent::take_lock(place, "lock");
    net::Socket socket(net::any_address(net::Family::ipv4, 0), net::Socket::Use::alone);
    GuardianLink guard({.guardian = beside_tool("conclave-guardian"),
                        .lock = std::get<net::Descriptor>(lock).get(),
                        .sockets = {socket.fd()},
                        .wish = play.wish,
                        .required = play.required,
                        .stop = play.stop,
                        .watchdog = play.watchdog,
                        .cleanup = play.cleanup,
                        .margins = {.grace = play.grace,
                                    .margin = margin,
                                    .margin_most = play.margin_most,
                                    .cleanup_limit = play.cleanup_limit},
                        .tree = &tree});
    std::vector<std::string> words{beside_tool("guardian_worker"), strings.ticks};
    words.insert(words.end(), play.manners.begin(), play.manners.end());
    if (!play.command.empty()) words = play.command;
    const Time begin = net::boot_time();
    if (const auto refused = guard.start({words, "jobs", "alpha", "alpha", "elected", 42},
                                         begin + play.head_start)) {
        say(strings.says, "refused " + *refused);
        _exit(1);
    }
    const auto to = net::parse_address("127.0.0.1:" + std::to_string(strings.port));
    const GuardianLink::Addressed notice{
        .socket = 0, .to = *to, .path = {}, .datagram = Bytes(5, std::byte{7})};
    guard.prepare_death_notice(std::vector(2, notice));
    say(strings.says, "guardian " + std::to_string(guard.guardian()));
    for (bool renewing = play.head_start == lease;;) {
        pollfd watched[] = {{guard.fd(), POLLIN, 0}, {strings.hears, POLLIN, 0}};
        poll(watched, 2, 20);
        if (renewing) guard.extend(net::boot_time() + lease);
        while (const auto event = guard.next()) say(strings.says, spell(*event));
        if (watched[1].revents == 0) continue;
        char order[64] = {};
        if (read(strings.hears, order, sizeof order - 1) <= 0) _exit(0);
        const int number = std::atoi(order + 1);
        if (order[0] == 's') guard.stop(std::chrono::milliseconds(number));
        if (order[0] == 'r') renewing = false;
        if (order[0] == 'R') renewing = true;
        if (order[0] == 'h') hang_up();
        if (order[0] == 'S') guard.signal(number);
        if (order[0] == 'd') guard.dismiss();
        if (order[0] == 'p')
            say(strings.says, "punctual " + std::to_string(guard.lateness().count()) + " " +
                                  std::to_string(guard.margin().count()));
    }
}

}  // namespace

std::string beside_tool(const std::string& name) {
    return (std::filesystem::path(tool_path).parent_path() / name).string();
}
Time boot_time() { return net::boot_time(); }
agent::Contain strongest() {
    for (const agent::Contain each : {agent::Contain::pid, agent::Contain::user})
        if (!agent::probe_containment(beside_tool("conclave-guardian"), each)) return each;
    return agent::Contain::group;
}

double ms(Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

bool await(const std::function<bool()>& happened) {
    for (const Time end = boot_time() + 10s; boot_time() < end; poll(nullptr, 0, 2))
        if (happened()) return true;
    return false;
}

Stage::Stage(const Play& play) {
    death_notices_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(death_notices_, reinterpret_cast<sockaddr*>(&address), size), 0);
    getsockname(death_notices_, reinterpret_cast<sockaddr*>(&address), &size);
    int says[2], hears[2];
    EXPECT_EQ(pipe(says) | pipe(hears), 0);
    agent_ = fork();
    if (agent_ == 0) {
        close(says[0]);
        close(hears[1]);
        play_agent(play,
                   {says[1], hears[0], ntohs(address.sin_port), folder_.path(), folder_ / "ticks"});
    }
    close(says[1]);
    close(hears[0]);
    says_ = says[0];
    hears_ = hears[1];
    const std::string line = hear("guardian ");
    if (line.empty()) return;
    guardian_ = std::atoi(line.substr(9).c_str());
    guardian_fd_ = process::open_process(guardian_);
}

Stage::~Stage() {
    if (agent_ > 0) {
        kill(agent_, SIGKILL);
        reap_agent();
    }
    if (!await_free_lock()) {
        ADD_FAILURE() << "somebody of the tree is still there";
        process::signal_process(guardian_fd_, SIGKILL);
    }
    for (const int fd : {death_notices_, says_, hears_, guardian_fd_}) close(fd);
}

std::string Stage::hear(const std::string& start) {
    std::string found;
    await([&] {
        for (std::size_t end = 0; (end = said_.find('\n')) != std::string::npos;) {
            const std::string line = said_.substr(0, end);
            said_.erase(0, end + 1);
            if (!line.starts_with(start)) continue;
            found = line;
            return true;
        }
        pollfd watched{says_, POLLIN, 0};
        char chunk[512];
        if (poll(&watched, 1, 10) != 1) return false;
        const ssize_t got = read(says_, chunk, sizeof chunk);
        if (got > 0) said_.append(chunk, static_cast<std::size_t>(got));
        return false;
    });
    return found;
}

void Stage::tell(const std::string& order) {
    EXPECT_EQ(write(hears_, order.c_str(), order.size()), static_cast<ssize_t>(order.size()));
}

void Stage::await_ticks() const {
    EXPECT_TRUE(await([&] {
        const auto lines = lines_of(ticks_text());
        return lines.size() > 20 && std::isdigit(lines.back()[0]) != 0;
    })) << "nobody ticks";
}

Time Stage::signal_agent(int number) const {
    const Time now = boot_time();
    kill(agent_, number);
    return now;
}
Time Stage::signal_guardian(int number) const {
    const Time now = boot_time();
    process::signal_process(guardian_fd_, number);
    return now;
}

bool Stage::guardian_lives() const {
    pollfd death{guardian_fd_, POLLIN, 0};
    return poll(&death, 1, 0) == 0;
}

pid_t Stage::init() const {
    const std::string guardian = std::to_string(guardian_);
    return std::atoi(read_file("/proc/" + guardian + "/task/" + guardian + "/children").c_str());
}
void Stage::signal_init(int number) const {
    ASSERT_GT(init(), 1);
    kill(init(), number);
}

void Stage::reap_agent() {
    waitpid(agent_, nullptr, 0);
    agent_ = -1;
}

std::optional<Time> Stage::await_death_notice(Duration within) const {
    pollfd watched{death_notices_, POLLIN, 0};
    const auto wait_ms = std::chrono::ceil<std::chrono::milliseconds>(within).count();
    if (poll(&watched, 1, static_cast<int>(wait_ms)) != 1) return std::nullopt;
    char bytes[64];
    const ssize_t got = recv(death_notices_, bytes, sizeof bytes, 0);
    const Time now = boot_time();
    EXPECT_EQ(std::string(bytes, static_cast<std::size_t>(got)), std::string(5, '\7'));
    return now;
}

Time Stage::last_tick() const {
    std::string before;
    EXPECT_TRUE(await([&] {
        const std::string now = ticks_text();
        const bool silent = now == before;
        before = now;
        poll(nullptr, 0, 50);
        return silent;
    })) << "somebody still ticks";
    Time last{};
    for (const std::string& line : lines_of(before))
        if (!line.empty() && std::isdigit(line[0]) != 0)
            last = std::max(last, Time(std::atoll(line.c_str())));
    return last;
}

bool Stage::await_free_lock() const {
    return await(
        [&] { return std::holds_alternative<net::Descriptor>(agent::take_lock(place(), "lock")); });
}

}  // namespace conclave::tests
