#include "conclave/guardian/init.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "conclave/guardian/deadline.hpp"
#include "conclave/process/tree_sweep.hpp"

namespace conclave::guardian {

namespace {

using Kind = InitWord::Kind;

void set_variable(const char* name, long long value) {
    std::array<char, 24> digits{};
    std::snprintf(digits.data(), digits.size(), "%lld", value);
    setenv(name, digits.data(), 1);
}

// The guardian alone may speak for the agent; the command gets standard descriptors and nothing
// else of ours, because all others are closed on exec. It dies with the first process, which
// matters where no namespace ends it.
[[noreturn]] void run_command(const Inherited& inherited, pid_t first, int failure) {
    setsid();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() == first && inherited.urgency->end()) execvp(inherited.words[0], inherited.words);
    const int error = errno;
    if (write(failure, &error, sizeof error) < 0) _exit(126);
    _exit(127);
}

// As the command, but with the guardian's own priority given back in the same way.
[[noreturn]] void run_cleanup(const Inherited& inherited, pid_t first) {
    setsid();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() == first && inherited.urgency->end())
        execl("/bin/sh", "sh", "-c", inherited.leash->cleanup.data(), static_cast<char*>(nullptr));
    _exit(127);
}

class First {
public:
    First(Contain contain, int socket, const Inherited& inherited)
        : contain_(contain), socket_(socket), inherited_(inherited), leash_(*inherited.leash) {}
    [[noreturn]] void run();

private:
    void watch_children();
    bool hear(InitWord& word) const;
    void say(Kind kind, int value) const;
    void start_command();
    void hear_guardian();
    void hear_start();
    void check_time();
    void reap();
    void kill_others() const;
    void clean_up();
    [[noreturn]] void end_tree();

    Contain contain_;
    int socket_, children_ = -1;
    int failure_ = -1;  // readable with the error, or with nothing once the command executes
    const Inherited& inherited_;
    Leash& leash_;
    Deadline timer_;
    Lateness lateness_;
    std::int64_t due_ = 0;
    pid_t command_ = -1;
};

void First::watch_children() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    children_ = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

void First::run() {
    watch_children();
    say(Kind::ready, 0);
    InitWord word{};
    if (!hear(word) || word.kind != Kind::go || children_ < 0 || !timer_.works()) _exit(1);
    check_time();
    set_variable("CONCLAVE_TOKEN", static_cast<long long>(word.token));
    set_variable("CONCLAVE_DEADLINE", leash_.end_ns);
    word.reason.back() = '\0';
    setenv("CONCLAVE_REASON", word.reason.data(), 1);
    start_command();
    for (;;) {
        std::array<pollfd, 4> watched{pollfd{timer_.descriptor(), POLLIN, 0},
                                      pollfd{socket_, POLLIN, 0}, pollfd{children_, POLLIN, 0},
                                      pollfd{failure_, POLLIN, 0}};
        if (poll(watched.data(), watched.size(), -1) < 0) continue;
        if (watched[0].revents != 0) check_time();
        if (watched[1].revents != 0) hear_guardian();
        if (watched[3].revents != 0) hear_start();
        if (watched[2].revents != 0) reap();
    }
}

void First::say(Kind kind, int value) const {
    const InitWord word{.kind = kind, .value = value};
    send(socket_, &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool First::hear(InitWord& word) const {
    ssize_t got = 0;
    do got = recv(socket_, &word, sizeof word, 0);
    while (got < 0 && errno == EINTR);
    return got == sizeof word;  // else the guardian is gone
}

// Whether it executes is learned later: until then this process must not wait, because a program on
// a dead file system may never start.
void First::start_command() {
    std::array<int, 2> failure{};
    const pid_t me = getpid();
    if (pipe2(failure.data(), O_CLOEXEC) == 0) command_ = fork();
    if (command_ == 0) run_command(inherited_, me, failure[1]);
    if (command_ < 0) {
        say(Kind::not_started, errno);
        _exit(1);
    }
    close(failure[1]);
    failure_ = failure[0];
}

void First::hear_start() {
    int error = 0;
    const bool failed = read(failure_, &error, sizeof error) == sizeof error;
    close(failure_);
    failure_ = -1;
    if (!failed) return;
    say(Kind::not_started, error);
    end_tree();
}

void First::hear_guardian() {
    InitWord word{};
    if (!hear(word) || word.kind == Kind::end) {
        say(Kind::ending, 0);
        end_tree();
    }
    if (word.kind != Kind::signal) return;
    const bool reached = kill(-command_, word.value) == 0;
    if (!reached) kill(command_, word.value);  // it has no session of its own yet
}

// By its own timer, without the guardian: one process less that must be scheduled.
void First::check_time() {
    const std::int64_t now = boot_time_ns();
    if (due_ != 0 && now >= due_) leash_.late_ns[Leash::init] = lateness_.note(due_, now);
    if (now >= leash_.command_end()) {
        say(Kind::expired, 0);
        end_tree();
    }
    due_ = std::min(leash_.command_end(), now + look_every_ns);
    timer_.wake_at(due_);
}

// Reaps everybody; its own end follows the command's.
void First::reap() {
    signalfd_siginfo ignored{};
    while (read(children_, &ignored, sizeof ignored) > 0) continue;
    bool ended = false;
    int status = 0, each = 0;
    for (pid_t child = 0; (child = waitpid(-1, &each, WNOHANG)) > 0;)
        if (child == command_) {
            ended = true;
            status = each;
        }
    if (!ended) return;
    if (failure_ >= 0) hear_start();
    say(Kind::exited, status);
    end_tree();
}

// In a namespace the kernel kills the rest when this process ends. To kill them first takes one
// call and does not wait until this process has put away its memory and files. Elsewhere it must
// find them all, and does not end before the kernel says that none is left.
void First::end_tree() {
    kill_others();
    if (leash_.cleanup_ns > 0 && command_ > 0) {
        clean_up();
        kill_others();
    }
    _exit(0);
}

void First::kill_others() const {
    if (contain_ == Contain::group) {
        if (command_ > 0) kill(-command_, SIGKILL);
        process::sweep_all();
    } else if (getpid() == 1) {
        kill(-1, SIGKILL);
    }
}

// Begins when nothing of the command is left, and ends before the lease may pass on: with its own
// time, or at the deadline. A guardian that dies ends it at once.
void First::clean_up() {
    using process::Cleanup;
    while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) continue;
    const std::int64_t end = std::min(boot_time_ns() + leash_.cleanup_ns, leash_.deadline());
    leash_.cleaned = Cleanup::killed;
    const pid_t me = getpid();
    const pid_t cleaner = boot_time_ns() < end ? fork() : -1;
    if (cleaner == 0) run_cleanup(inherited_, me);
    timer_.wake_at(end);
    while (cleaner > 0 && boot_time_ns() < end) {
        std::array<pollfd, 3> watched{pollfd{timer_.descriptor(), POLLIN, 0}, pollfd{socket_, 0, 0},
                                      pollfd{children_, POLLIN, 0}};
        if (poll(watched.data(), watched.size(), -1) < 0) continue;
        if ((watched[1].revents & POLLHUP) != 0) return;
        signalfd_siginfo ignored{};
        while (read(children_, &ignored, sizeof ignored) > 0) continue;
        int status = 0;
        for (pid_t child = 0; (child = waitpid(-1, &status, WNOHANG)) > 0;)
            if (child == cleaner) {
                leash_.cleaned = status == 0 ? Cleanup::done : Cleanup::failed;
                return;
            }
    }
}

}  // namespace

// In a namespace the kernel's signal ends everything at once. Elsewhere this process must live on
// to kill the others: it learns of the guardian's end from the socket, and the signal only wakes it
// should it have been stopped.
void die_with_parent(Contain contain) {
    prctl(PR_SET_PDEATHSIG, contain == Contain::group ? SIGCONT : SIGKILL, 0, 0, 0);
}

void run_init(Contain contain, int socket, const Inherited& inherited) {
    if (contain == Contain::group) process::adopt_orphans();
    if (inherited.urgency != nullptr) inherited.urgency->keep_pages();
    if (inherited.leash == nullptr) {  // it was only tried whether this works
        const InitWord ready{.kind = Kind::ready};
        send(socket, &ready, sizeof ready, MSG_NOSIGNAL);
        InitWord none{};
        recv(socket, &none, sizeof none, 0);  // until whoever tried it is gone
        _exit(0);
    }
    First(contain, socket, inherited).run();
}

}  // namespace conclave::guardian
