#include "conclave/guardian/init.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "conclave/process/sweep.hpp"

namespace conclave::guardian {

namespace {

using Kind = InitWord::Kind;

constexpr int sweep_ms = 10'000;

void say(int socket, Kind kind, int value) {
    const InitWord word{.kind = kind, .value = value};
    send(socket, &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// In a namespace the kernel kills the rest when this process ends; elsewhere it must do so itself.
[[noreturn]] void end_tree(Contain contain, pid_t command) {
    if (contain == Contain::group) {
        if (command > 0) kill(-command, SIGKILL);
        process::sweep_all(sweep_ms);
    }
    _exit(0);
}

// The guardian alone may speak for the agent; the command gets standard descriptors and nothing
// else of ours, because all others are closed on exec.
[[noreturn]] void run_command(char** words, int failure) {
    setsid();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execvp(words[0], words);
    const int error = errno;
    if (write(failure, &error, sizeof error) < 0) _exit(126);
    _exit(127);
}

void set_variable(const char* name, long long value) {
    std::array<char, 24> digits{};
    std::snprintf(digits.data(), digits.size(), "%lld", value);
    setenv(name, digits.data(), 1);
}

// The command's process; or an error, negative.
pid_t start_command(char** words) {
    std::array<int, 2> failure{};
    if (pipe2(failure.data(), O_CLOEXEC) != 0) return -errno;
    const pid_t command = fork();
    if (command == 0) run_command(words, failure[1]);
    const int refused = errno;
    close(failure[1]);
    if (command < 0) return -refused;
    int error = 0;
    const bool failed = read(failure[0], &error, sizeof error) == sizeof error;
    close(failure[0]);
    if (!failed) return command;
    waitpid(command, nullptr, 0);
    return -error;
}

bool hear(int socket, InitWord& word) {
    ssize_t got = 0;
    do got = recv(socket, &word, sizeof word, 0);
    while (got < 0 && errno == EINTR);
    return got == sizeof word;  // else the guardian is gone
}

// Reaps everybody; the command's status once it has ended.
bool reap(pid_t command, int& status) {
    bool ended = false;
    int each = 0;
    for (pid_t child = 0; (child = waitpid(-1, &each, WNOHANG)) > 0;)
        if (child == command) {
            ended = true;
            status = each;
        }
    return ended;
}

// Of what the guardian has open: the lock, and the way to it.
void keep_only(int socket) {
    close_range(process::channel_place, process::lock_place - 1, 0);
    close_range(process::lock_place + 1, static_cast<unsigned>(socket) - 1, 0);
    close_range(static_cast<unsigned>(socket) + 1, ~0u, 0);
}

[[noreturn]] void attend(Contain contain, int socket, int children, pid_t command) {
    std::array<pollfd, 2> watched{pollfd{socket, POLLIN, 0}, pollfd{children, POLLIN, 0}};
    for (;;) {
        if (poll(watched.data(), watched.size(), -1) < 0) continue;
        if (watched[0].revents != 0) {
            InitWord word{};
            if (!hear(socket, word) || word.kind == Kind::end) end_tree(contain, command);
            if (word.kind == Kind::signal) kill(-command, word.value);
        }
        if (watched[1].revents != 0) {
            signalfd_siginfo ignored{};
            while (read(children, &ignored, sizeof ignored) > 0) continue;
        }
        int status = 0;
        if (!reap(command, status)) continue;
        say(socket, Kind::exited, status);
        end_tree(contain, command);
    }
}

}  // namespace

// In a namespace the kernel's signal ends everything at once. Elsewhere this process must live on
// to kill the others: it learns of the guardian's end from the socket, and the signal only wakes it
// should it have been stopped.
void die_with_parent(Contain contain) {
    prctl(PR_SET_PDEATHSIG, contain == Contain::group ? SIGCONT : SIGKILL, 0, 0, 0);
}

void run_init(Contain contain, int socket, char** words) {
    keep_only(socket);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    const int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (contain == Contain::group) process::adopt_orphans();
    say(socket, Kind::ready, 0);
    InitWord word{};
    if (!hear(socket, word) || word.kind != Kind::go || children < 0) _exit(1);
    set_variable("CONCLAVE_TOKEN", static_cast<long long>(word.token));
    set_variable("CONCLAVE_DEADLINE", word.end_ns);
    word.reason.back() = '\0';
    setenv("CONCLAVE_REASON", word.reason.data(), 1);
    const pid_t command = start_command(words);
    if (command < 0) {
        say(socket, Kind::not_started, -command);
        _exit(1);
    }
    attend(contain, socket, children, command);
}

}  // namespace conclave::guardian
