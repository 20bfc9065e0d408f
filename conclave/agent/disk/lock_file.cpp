#include "conclave/agent/disk/lock_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "conclave/process/proc.hpp"

namespace conclave::agent {

namespace {

using process::Found;
using process::ProcessFacts;

// "PID START\n": a process id alone may be another's by now. By a descriptor of its own, because
// one that stays open for writing keeps a file system from being made read-only. That it cannot be
// written costs only the better sentence.
void sign(const StateFolder& folder, const std::string& name) {
    ProcessFacts me;
    if (process::read_process(getpid(), me) != Found::yes) return;
    const std::string text = std::to_string(getpid()) + " " + std::to_string(me.start) + "\n";
    const auto file = folder.open(name, O_WRONLY);
    if (!file.descriptor || ftruncate(file.descriptor.get(), 0) != 0) return;
    [[maybe_unused]] const auto written = write(file.descriptor.get(), text.data(), text.size());
}

pid_t owner_of(int file) {
    std::array<char, 64> bytes{};
    if (pread(file, bytes.data(), bytes.size() - 1, 0) <= 0) return 0;
    std::istringstream words(bytes.data());
    pid_t pid = 0;
    std::uint64_t start = 0;
    ProcessFacts facts;
    if (!(words >> pid >> start) || pid == getpid()) return 0;
    if (process::read_process(pid, facts) != Found::yes) return 0;
    return facts.start == start && facts.state != 'Z' && facts.state != 'X' ? pid : 0;
}

}  // namespace

std::variant<net::Descriptor, LockBusy, LockRefused> take_lock(const StateFolder& folder,
                                                               const std::string& name) {
    const std::string front = "lock file " + folder.place(name) + " ";
    auto file = folder.open(name, O_RDONLY | O_CREAT);
    if (!file.descriptor) return LockRefused{front + file.problem};
    if (flock(file.descriptor.get(), LOCK_EX | LOCK_NB) == 0) {
        sign(folder, name);
        return std::move(file.descriptor);
    }
    if (errno == EWOULDBLOCK) return LockBusy{owner_of(file.descriptor.get())};
    return LockRefused{front + "cannot be locked (" + std::strerror(errno) +
                       "): choose a local folder with --state"};
}

}  // namespace conclave::agent
