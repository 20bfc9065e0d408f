#include "conclave/agent/lock_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace conclave::agent {

std::variant<net::Descriptor, LockBusy, LockRefused> take_lock(const std::string& path) {
    net::Descriptor file(open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file)
        return LockRefused{"lock file " + path + " cannot be opened (" + std::strerror(errno) +
                           "): --state names a folder that can be written"};
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0) return file;
    if (errno == EWOULDBLOCK) return LockBusy{};
    return LockRefused{"lock file " + path + " cannot be locked (" + std::strerror(errno) +
                       "): choose a local folder with --state"};
}

}  // namespace conclave::agent
