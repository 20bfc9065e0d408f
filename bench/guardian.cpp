// How long the guardian takes: from the order to the command's first instruction, from an orderly
// stop to the end of the tree, and from the agent's death to the death notice on the network.
// Usage: bench_guardian [ROUNDS]
//
// The command is this program itself: it says when it began and then waits.
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "conclave/agent/work/guardian_link.hpp"
#include "conclave/core/names.hpp"
#include "conclave/net/clock.hpp"

namespace {

using namespace conclave;
using namespace std::chrono_literals;
using agent::Contain;
using agent::GuardianLink;

constexpr Duration term = 60s;

[[noreturn]] void be_command() {
    const std::int64_t now = net::boot_time().count();
    if (write(STDOUT_FILENO, &now, sizeof now) < 0) std::exit(1);
    for (;;) pause();
}

// What the commands write comes to us; results go to where our standard output went.
struct Stage {
    std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    int began = -1, results = -1;

    Stage() {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) std::exit(1);
        results = dup(STDOUT_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        began = ends[0];
    }
    Time await_command() const {
        std::int64_t when = 0;
        if (read(began, &when, sizeof when) != sizeof when) std::exit(1);
        return Time(when);
    }
    GuardianLink::Command command() const {
        return {{self, "--command"}, "g", "n", "n", "bench", 1};
    }
};

double ms(Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

void tell(const Stage& stage, Contain contain, const char* what, std::vector<double> figures) {
    std::sort(figures.begin(), figures.end());
    const auto at = [&](std::size_t percent) { return figures[figures.size() * percent / 100]; };
    const std::string mode(name_of(contain));
    dprintf(stage.results, "bench,%s,%s_ms_median,%.2f\n", mode.c_str(), what, at(50));
    dprintf(stage.results, "bench,%s,%s_ms_p95,%.2f\n", mode.c_str(), what, at(95));
}

void await_gone(GuardianLink& guard) {
    for (;;) {
        pollfd watched{guard.fd(), POLLIN, 0};
        poll(&watched, 1, 100);
        while (const auto event = guard.next())
            if (event->kind == GuardianLink::Event::Kind::gone) return;
    }
}

void start_and_stop(const Stage& stage, Contain contain, int rounds) {
    std::vector<double> starts, stops;
    for (int i = 0; i < rounds; ++i) {
        GuardianLink guard({.guardian = agent::find_guardian(), .wish = contain, .required = true});
        const Time asked = net::boot_time();
        if (guard.start(stage.command(), asked + term)) std::exit(1);
        starts.push_back(ms(stage.await_command() - asked));
        const Time stop = net::boot_time();
        guard.stop(term);
        await_gone(guard);
        stops.push_back(ms(net::boot_time() - stop));
    }
    tell(stage, contain, "start", starts);
    tell(stage, contain, "stop", stops);
}

// The agent: starts the command and waits to be killed.
[[noreturn]] void be_agent(const Stage& stage, Contain contain, const net::Address& to) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    net::Socket socket(net::any_address(net::Family::ipv4, 0), net::Socket::Use::alone);
    GuardianLink guard(
        {.guardian = agent::find_guardian(), .sockets = {socket.fd()}, .wish = contain});
    if (guard.start(stage.command(), net::boot_time() + term)) std::exit(1);
    const std::vector<GuardianLink::Addressed> notices{
        {.socket = 0, .to = to, .path = {}, .datagram = Bytes(100, std::byte{1})}};
    guard.prepare_death_notice(notices);
    for (;;) pause();
}

void kill_agent(const Stage& stage, Contain contain, int rounds) {
    std::vector<double> death_notices;
    for (int i = 0; i < rounds; ++i) {
        net::Socket heir(*net::parse_address("127.0.0.1"), net::Socket::Use::alone);
        const pid_t child = fork();
        if (child == 0) be_agent(stage, contain, heir.local());
        stage.await_command();
        poll(nullptr, 0, 5);  // the death notice is prepared
        const Time killed = net::boot_time();
        kill(child, SIGKILL);
        pollfd watched{heir.fd(), POLLIN, 0};
        if (poll(&watched, 1, 5000) != 1) std::exit(1);
        death_notices.push_back(ms(net::boot_time() - killed));
        waitpid(child, nullptr, 0);
    }
    tell(stage, contain, "death_notice", death_notices);
}

}  // namespace

int main(int count, char** words) {
    if (count > 1 && std::string_view(words[1]) == "--command") be_command();
    const int rounds = std::max(count > 1 ? std::atoi(words[1]) : 40, 1);
    const Stage stage;
    for (const Contain contain : {Contain::pid, Contain::user, Contain::group}) {
        if (agent::probe_containment(agent::find_guardian(), contain)) continue;
        start_and_stop(stage, contain, rounds);
        kill_agent(stage, contain, rounds);
    }
}
