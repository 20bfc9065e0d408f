#include "conclave/process/sweep.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace conclave::process {

namespace {

// The parent of a process, 0 if it is gone: "PID (NAME) STATE PARENT ...", and a name may hold
// anything.
pid_t parent_of(pid_t child) {
    std::array<char, 32> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/stat", child);
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::array<char, 512> line{};
    const ssize_t got = read(file, line.data(), line.size() - 1);
    close(file);
    if (got <= 0) return 0;
    const char* end = std::strrchr(line.data(), ')');
    if (end == nullptr || std::strlen(end) < 5) return 0;
    return static_cast<pid_t>(std::strtol(end + 4, nullptr, 10));
}

// Quicker than looking at every process, where the kernel keeps the list. It may miss one while
// others die; whoever has no child left learns that from waitpid. For a single thread.
bool kill_listed() {
    std::array<char, 48> path{};
    std::snprintf(path.data(), path.size(), "/proc/self/task/%d/children", getpid());
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    std::array<char, 4096> list{};
    const ssize_t got = read(file, list.data(), list.size() - 1);
    close(file);
    if (got < 0) return false;
    char* at = list.data();
    for (char* end = at; std::strchr(at, ' ') != nullptr; at = end + 1) {
        const auto child = static_cast<pid_t>(std::strtol(at, &end, 10));
        if (end == at) break;
        if (child > 1) kill(child, SIGKILL);
    }
    return true;
}

}  // namespace

bool adopt_orphans() { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0; }

bool sweep_once(Spared spared) {
    DIR* processes = opendir("/proc");
    if (processes == nullptr) return waitpid(-1, nullptr, WNOHANG) < 0;
    const pid_t me = getpid();
    bool none = true;
    while (const dirent* entry = readdir(processes)) {
        const auto child = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
        if (child <= 1 || parent_of(child) != me) continue;
        if (spared != nullptr && spared(child)) continue;
        none = false;
        kill(child, SIGKILL);
        waitpid(child, nullptr, WNOHANG);
    }
    closedir(processes);
    return none;
}

bool sweep_all(int longest_ms) {
    constexpr int pause_us = 200;
    for (int passed = 0; passed <= longest_ms * 1000; passed += pause_us) {
        if (!kill_listed()) sweep_once();
        pid_t reaped = 0;
        do reaped = waitpid(-1, nullptr, WNOHANG);
        while (reaped > 0);
        if (reaped < 0 && errno == ECHILD) return true;
        usleep(pause_us);
    }
    return false;
}

}  // namespace conclave::process
