#include "conclave/process/tree_sweep.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conclave/process/pidfd.hpp"
#include "conclave/process/proc.hpp"

namespace conclave::process {

namespace {

// Quicker than looking at every process, where the kernel keeps the list. It may miss one while
// others die; whoever has no child left learns that from waitpid. For a single thread.
bool kill_listed() {
    std::array<char, 48> path{};
    std::snprintf(path.data(), path.size(), "self/task/%d/children", getpid());
    const int file = openat(proc_folder(), path.data(), O_RDONLY | O_CLOEXEC);
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

bool has_no_child() { return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

// By a descriptor of its own: two listings must not share a position.
DIR* list_processes() {
    const int folder = openat(proc_folder(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* processes = folder < 0 ? nullptr : fdopendir(folder);
    if (processes == nullptr && folder >= 0) close(folder);
    return processes;
}

}  // namespace

bool adopt_orphans() { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0; }

// A process that could not be read may be a child: then nothing is known.
bool sweep_once(Spared spared) {
    DIR* processes = list_processes();
    if (processes == nullptr) return spared == nullptr && has_no_child();
    const pid_t me = getpid();
    bool none = true;
    for (;;) {
        errno = 0;
        const dirent* entry = readdir(processes);
        if (entry == nullptr) break;
        const auto child = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
        if (child <= 1) continue;
        ProcessFacts facts;
        const Found found = read_process(child, facts);
        if (found == Found::unknown) none = false;
        if (found != Found::yes || facts.parent != me) continue;
        if (spared != nullptr && spared(child)) continue;
        none = false;
        kill(child, SIGKILL);
        waitpid(child, nullptr, WNOHANG);
    }
    const bool complete = errno == 0;
    closedir(processes);
    return none && complete;
}

// Others reap what is killed here: by descriptor, a process that has taken over an id is spared.
void kill_below(pid_t first) {
    DIR* processes = list_processes();
    if (processes == nullptr) return;
    while (const dirent* entry = readdir(processes)) {
        const auto each = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
        if (each <= 1 || each == first || !descends_from(each, first)) continue;
        const int process = open_process(each);
        if (process < 0) continue;
        if (descends_from(each, first)) signal_process(process, SIGKILL);
        close(process);
    }
    closedir(processes);
}

void sweep_all() {
    constexpr useconds_t first_us = 200, longest_us = 20'000;
    for (useconds_t pause_us = first_us;; pause_us = std::min(pause_us * 5 / 4, longest_us)) {
        if (!kill_listed()) sweep_once();
        pid_t reaped = 0;
        do reaped = waitpid(-1, nullptr, WNOHANG);
        while (reaped > 0);
        if (reaped < 0 && errno == ECHILD) return;
        usleep(pause_us);
    }
}

}  // namespace conclave::process
