#include "conclave/guardian/contain.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "conclave/guardian/init.hpp"
#include "conclave/process/proc.hpp"

namespace conclave::guardian {

namespace {

constexpr int out_of_the_way = 64;  // above all places of what was handed down

// Like fork, into new namespaces; the child's descriptor comes with it.
pid_t clone_into(std::uint64_t namespaces, int& pidfd) {
    // clone_args, as the kernel takes it since 5.2
    std::array<std::uint64_t, 8> arguments{};
    arguments[0] = namespaces | CLONE_PIDFD;
    arguments[1] = reinterpret_cast<std::uintptr_t>(&pidfd);
    arguments[4] = SIGCHLD;
    return static_cast<pid_t>(syscall(SYS_clone3, arguments.data(), sizeof arguments));
}

std::uint64_t namespaces_of(Contain contain) {
    switch (contain) {
        case Contain::pid: return CLONE_NEWPID | CLONE_NEWNS;
        case Contain::user: return CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS;
        default: return 0;
    }
}

bool write_text(const char* path, const char* text, std::size_t size) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool written = write(file, text, size) == static_cast<ssize_t>(size);
    const int error = errno;
    close(file);
    errno = error;
    return written;
}

// Everybody is in there who they were outside.
bool map_user(uid_t user, gid_t group) {
    std::array<char, 64> line{};
    const auto map = [&](const char* path, unsigned id) {
        const int size = std::snprintf(line.data(), line.size(), "%u %u 1\n", id, id);
        return write_text(path, line.data(), static_cast<std::size_t>(size));
    };
    return write_text("/proc/self/setgroups", "deny", 4) && map("/proc/self/uid_map", user) &&
           map("/proc/self/gid_map", group);
}

// A /proc that shows the processes of the new namespace; no mount made in there is seen outside.
bool mount_proc() {
    return mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0 &&
           mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
}

// Of what the guardian has open: the lock, and the way to it.
void keep_only(int socket) {
    close_range(process::channel_place, process::lock_place - 1, 0);
    close_range(process::lock_place + 1, static_cast<unsigned>(socket) - 1, 0);
    close_range(static_cast<unsigned>(socket) + 1, ~0u, 0);
}

bool enter(Contain contain, uid_t user, gid_t group) {
    if (contain == Contain::user && !map_user(user, group)) return false;
    if (contain != Contain::group) return mount_proc();
    if (process::proc_folder() >= 0) return true;  // else nobody of the tree could be found
    errno = process::no_proc_error;
    return false;
}

Init start_one(Contain contain, const Inherited& inherited) {
    Init init{.contain = contain};
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        init.error = errno;
        return init;
    }
    const uid_t user = geteuid();
    const gid_t group = getegid();
    init.pid = clone_into(namespaces_of(contain), init.pidfd);
    if (init.pid == 0) {
        die_with_parent(contain);
        const int socket = fcntl(ends[1], F_DUPFD_CLOEXEC, out_of_the_way);
        keep_only(socket);
        if (!enter(contain, user, group)) {
            const InitWord failed{.kind = InitWord::Kind::failed, .value = errno};
            send(socket, &failed, sizeof failed, MSG_NOSIGNAL);
            _exit(1);
        }
        run_init(contain, socket, inherited);
    }
    const int refused = errno;
    close(ends[1]);
    InitWord word{.kind = InitWord::Kind::failed, .value = refused};
    if (init.pid > 0) {
        word.value = ECHILD;
        if (recv(ends[0], &word, sizeof word, 0) == sizeof word &&
            word.kind == InitWord::Kind::ready) {
            init.socket = ends[0];
            return init;
        }
        kill(init.pid, SIGKILL);
        waitpid(init.pid, nullptr, 0);
        close(init.pidfd);
    }
    close(ends[0]);
    return {.contain = contain, .error = word.value};
}

}  // namespace

Init start_init(Contain wish, bool required, const Inherited& inherited) {
    Init init{};
    int error = 0;  // of the mode that was wished for
    const auto last = static_cast<int>(process::last_choice(wish, required));
    for (auto mode = static_cast<int>(process::first_choice(wish)); mode <= last; ++mode) {
        init = start_one(static_cast<Contain>(mode), inherited);
        if (init.pid > 0) return init;
        if (error == 0) error = init.error;
    }
    init.error = error;
    return init;
}

bool can_contain(Contain contain, int& error) {
    const Init init = start_one(contain, {});
    error = init.error;
    if (init.pid <= 0) return false;
    kill(init.pid, SIGKILL);
    waitpid(init.pid, nullptr, 0);
    close(init.pidfd);
    close(init.socket);
    return true;
}

}  // namespace conclave::guardian
