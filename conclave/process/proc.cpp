#include "conclave/process/proc.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace conclave::process {

namespace {

// "self" names this process only in a proc file system of its own PID namespace.
bool shows_us(int folder) {
    struct statfs found{};
    if (fstatfs(folder, &found) != 0 || found.f_type != PROC_SUPER_MAGIC) return false;
    std::array<char, 24> name{};
    if (readlinkat(folder, "self", name.data(), name.size() - 1) <= 0) return false;
    return std::strtol(name.data(), nullptr, 10) == getpid();
}

int open_folder() {
    const int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || shows_us(folder)) return folder;
    close(folder);
    return -1;
}

}  // namespace

// A child that was cloned must open its own: "self" is whoever asks, but its namespace may differ.
int proc_folder() {
    static pid_t owner = 0;
    static int folder = -1;
    if (owner != getpid()) {
        folder = open_folder();
        owner = folder < 0 ? 0 : getpid();
    }
    return folder;
}

// "PID (NAME) STATE PARENT ... START ...", where START is field 22 and NAME may hold anything.
Found read_process(pid_t pid, ProcessFacts& facts) {
    std::array<char, 32> path{};
    std::snprintf(path.data(), path.size(), "%d/stat", pid);
    const int folder = proc_folder();
    if (folder < 0) return Found::unknown;
    const int file = openat(folder, path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno == ENOENT || errno == ESRCH ? Found::none : Found::unknown;
    std::array<char, 1024> line{};
    const ssize_t got = read(file, line.data(), line.size() - 1);
    const int error = errno;
    close(file);
    if (got < 0) return error == ESRCH ? Found::none : Found::unknown;
    const char* at = std::strrchr(line.data(), ')');
    if (at == nullptr || std::strlen(at) < 5) return Found::unknown;
    facts.state = at[2];
    facts.parent = static_cast<pid_t>(std::strtol(at + 4, nullptr, 10));
    constexpr int to_start = 20;  // blanks between the name and field 22
    for (int blank = 0; blank < to_start; ++blank) {
        at = std::strchr(at + 1, ' ');
        if (at == nullptr) return Found::unknown;
    }
    facts.start = std::strtoull(at + 1, nullptr, 10);
    return Found::yes;
}

bool descends_from(pid_t pid, pid_t ancestor) {
    constexpr int deepest = 1000;
    for (int depth = 0; pid > 1 && depth < deepest; ++depth) {
        if (pid == ancestor) return true;
        ProcessFacts facts;
        if (read_process(pid, facts) != Found::yes) return false;
        pid = facts.parent;
    }
    return false;
}

}  // namespace conclave::process
