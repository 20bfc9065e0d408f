#include "conclave/agent/disk/state_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "conclave/agent/settings/node_config.hpp"

namespace conclave::agent {

namespace {

using net::Descriptor;

bool is_trusted(uid_t owner) { return owner == 0 || owner == geteuid(); }

std::string belongs_to(uid_t owner) {
    return "belongs to another user (" + std::to_string(owner) + ")";
}

// Others could replace what a node remembers.
std::optional<std::string> folder_problem(const std::string& path, const Descriptor& folder) {
    struct stat found{};
    if (!folder) return "cannot be opened" + disk_reason(errno);
    if (fstat(folder.get(), &found) != 0) return "cannot be examined" + disk_reason(errno);
    if (!is_trusted(found.st_uid))
        return belongs_to(found.st_uid) + ": give --state a folder of this user";
    if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "can be written by other users: chmod go-w " + path;
    return std::nullopt;
}

std::optional<std::string> file_problem(int file) {
    struct stat found{};
    if (fstat(file, &found) != 0) return "cannot be examined" + disk_reason(errno);
    if (!S_ISREG(found.st_mode)) return "is no regular file: move it away";
    if (!is_trusted(found.st_uid))
        return belongs_to(found.st_uid) + ": choose another folder with --state";
    if (found.st_nlink > 1)
        return "has a second name (a hard link), which is not accepted: remove the other one";
    return std::nullopt;
}

}  // namespace

std::string disk_reason(int error) {
    return std::string(" (") + std::strerror(error) +
           "): give --state a folder that this user may write to, on a disk with room";
}

int writing_problem(int folder) {
    constexpr std::uint64_t room =
        std::uint64_t{16} * 1024;  // for a state file beside the one there is
    struct statvfs disk{};
    struct stat found{};
    if (fstatvfs(folder, &disk) != 0 || fstat(folder, &found) != 0) return errno;
    if (found.st_nlink == 0) return ENOENT;  // it was removed
    if ((disk.f_flag & ST_RDONLY) != 0) return EROFS;
    const std::uint64_t blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail;
    if (disk.f_blocks != 0 && blocks * disk.f_frsize < room) return ENOSPC;
    if (disk.f_files != 0 && disk.f_ffree == 0) return ENOSPC;
    return faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

std::string StateFolder::obstacle() const {
    const int error = writing_problem(fd());
    return error == 0 ? "" : "state folder " + path_ + " cannot be written" + disk_reason(error);
}

StateFolder::StateFolder(std::string path) : path_(std::move(path)) {
    Descriptor folder(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (const auto problem = folder_problem(path_, folder))
        refuse("state folder " + path_ + " " + *problem, exit_code::state);
    descriptor_ = std::make_shared<const Descriptor>(std::move(folder));
}

StateFolder::File StateFolder::open(const std::string& name, int how) const {
    // O_NONBLOCK: nobody waits for the other end of a pipe.
    Descriptor file(
        openat(fd(), name.c_str(), how | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, S_IRUSR | S_IWUSR));
    if (!file && errno == ELOOP)
        return {.problem = "is a link, and links are not followed: put the file itself there"};
    if (!file) {
        const int error = errno;
        return {.error = error, .problem = "cannot be opened" + disk_reason(error)};
    }
    if (auto problem = file_problem(file.get())) return {.problem = std::move(*problem)};
    return {.descriptor = std::move(file)};
}

}  // namespace conclave::agent
