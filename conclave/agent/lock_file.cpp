#include "conclave/agent/lock_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
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

// "PID START\n": a process id alone may be another's by now. That it cannot be written costs only
// the better sentence.
void sign(int file) {
    ProcessFacts me;
    if (process::read_process(getpid(), me) != Found::yes) return;
    const std::string text = std::to_string(getpid()) + " " + std::to_string(me.start) + "\n";
    if (ftruncate(file, 0) != 0) return;
    [[maybe_unused]] const auto written = pwrite(file, text.data(), text.size(), 0);
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

std::variant<net::Descriptor, LockBusy, LockRefused> take_lock(const std::string& path) {
    net::Descriptor file(
        open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (!file)
        return LockRefused{"lock file " + path + " cannot be opened (" + std::strerror(errno) +
                           "): --state names a folder that can be written"};
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
        sign(file.get());
        return file;
    }
    if (errno == EWOULDBLOCK) return LockBusy{owner_of(file.get())};
    return LockRefused{"lock file " + path + " cannot be locked (" + std::strerror(errno) +
                       "): choose a local folder with --state"};
}

}  // namespace conclave::agent
