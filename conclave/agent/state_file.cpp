#include "conclave/agent/state_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "conclave/net/descriptor.hpp"
#include "conclave/wire/key.hpp"

namespace conclave::agent {

namespace {

using Refused = StateFile::Refused;
using net::Descriptor;

constexpr std::string_view magic = "conclave state\n";
constexpr std::uint32_t newest = 1;
constexpr std::size_t longest = std::size_t{1} << 20;  // a thousand members with long names

// magic, version, length of the rest, the rest, checksum of all before it
struct Front {
    std::uint32_t version, length;
};

std::uint64_t checksum(Input bytes) {
    return wire::digest_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Refused refuse(Refused::Why why, const std::string& path, const std::string& rest) {
    return {why, "state file " + path + " " + rest};
}
Refused corrupt(const std::string& path, const std::string& how) {
    return refuse(Refused::Why::corrupt, path,
                  "is damaged (" + how +
                      "): move it away to start as a member that lost its disk, which promises " +
                      "nothing until it has asked all others");
}
Refused foreign(const std::string& path, const std::string& whose) {
    return refuse(Refused::Why::foreign, path, whose + ": choose another folder with --state");
}

bool has_magic(Input bytes) {
    return bytes.size() >= magic.size() &&
           std::equal(magic.begin(), magic.end(), bytes.begin(), [](char letter, std::byte byte) {
               return static_cast<std::byte>(letter) == byte;
           });
}
bool is_start_of_magic(Input bytes) {
    return bytes.size() < magic.size() &&
           std::equal(
               bytes.begin(), bytes.end(), magic.begin(),
               [](std::byte byte, char letter) { return static_cast<std::byte>(letter) == byte; });
}

std::string reason(int error) {
    return std::string(" (") + std::strerror(error) +
           "): give --state a folder that this user may write to, on a disk with room";
}

// The whole file; or the error that stopped it.
std::variant<Bytes, int> read_file(int fd) {
    Bytes bytes;
    std::array<std::byte, 4096> chunk{};
    while (bytes.size() <= longest) {
        const ssize_t got = ::read(fd, chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) break;
        bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + got);
    }
    return bytes;
}

bool write_all(int fd, Input bytes) {
    while (!bytes.empty()) {
        const ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(wrote));
    }
    return true;
}

std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_in_folder(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    return name.empty() ? "." : name;
}

// Leaves the bytes in a new file of that name, on the disk.
bool write_new(int folder, const std::string& name, Input bytes) {
    unlinkat(folder, name.c_str(), 0);  // left by a crash, or by somebody who would be followed
    const Descriptor file(openat(folder, name.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                 S_IRUSR | S_IWUSR));
    return file && write_all(file.get(), bytes) && fsync(file.get()) == 0;
}

bool is_trusted(uid_t owner) { return owner == 0 || owner == geteuid(); }

// Others could replace what a node remembers.
std::optional<std::string> folder_problem(const std::string& folder, int descriptor) {
    struct stat found{};
    if (fstat(descriptor, &found) != 0) return "cannot be examined" + reason(errno);
    if (!is_trusted(found.st_uid))
        return "belongs to another user (" + std::to_string(found.st_uid) +
               "): give --state a folder of this user";
    if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "can be written by other users: chmod go-w " + folder;
    return std::nullopt;
}

}  // namespace

bool operator==(const State& a, const State& b) { return fields(a) == fields(b); }

Bytes write_state(const State& state) {
    Bytes bytes;
    for (const char letter : magic) bytes.push_back(static_cast<std::byte>(letter));
    Bytes rest;
    encode(state, rest);
    encode(Front{newest, static_cast<std::uint32_t>(rest.size())}, bytes);
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    encode(checksum(bytes), bytes);
    return bytes;
}

StateFile::Answer read_state(Input bytes, const std::string& group, const std::string& path) {
    if (is_start_of_magic(bytes)) return corrupt(path, "it ends too early");
    if (!has_magic(bytes)) return foreign(path, "is no file of Conclave");
    Input rest = bytes.subspan(magic.size());
    Front front{};
    if (!decode(front, rest)) return corrupt(path, "it ends too early");
    if (front.version > newest && bytes.size() <= longest)
        return foreign(path,
                       "was written by a later Conclave, format " + std::to_string(front.version));
    constexpr std::size_t tail = sizeof(std::uint64_t);
    if (rest.size() < tail || rest.size() - tail < front.length)
        return corrupt(path, "it ends too early");
    if (rest.size() - tail > front.length) return corrupt(path, "it is too long");
    std::uint64_t sum = 0;
    Input last = bytes.last(tail);
    if (!decode(sum, last) || sum != checksum(bytes.first(bytes.size() - tail)))
        return corrupt(path, "its checksum is wrong");
    auto state = decode_all<State>(rest.first(front.length));
    if (front.version == 0 || !state) return corrupt(path, "its fields are not readable");
    if (state->group != group)
        return foreign(path, "belongs to group '" + state->group + "', not to '" + group + "'");
    return *std::move(state);
}

// Keeps it open. One that is missing is no problem yet.
std::optional<std::string> StateFile::open_folder() {
    if (folder_) return std::nullopt;
    const std::string folder = folder_of(path_);
    Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened && errno == ENOENT) return std::nullopt;
    if (!opened) return "state folder " + folder + " cannot be opened" + reason(errno);
    if (const auto problem = folder_problem(folder, opened.get()))
        return "state folder " + folder + " " + *problem;
    folder_ = std::move(opened);
    return std::nullopt;
}

StateFile::Answer StateFile::read() {
    ours_ = false;
    if (const auto problem = open_folder()) return Refused{Refused::Why::unreadable, *problem};
    if (!folder_) {
        ours_ = true;
        return Missing{};
    }
    const Descriptor file(openat(folder_.get(), name_in_folder(path_).c_str(),
                                 O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!file) {
        if (errno == ELOOP)
            return refuse(Refused::Why::foreign, path_,
                          "is a link, and links are not followed: put the file itself there");
        if (errno != ENOENT)
            return refuse(Refused::Why::unreadable, path_, "cannot be opened" + reason(errno));
        ours_ = true;
        return Missing{};
    }
    struct stat found{};
    if (fstat(file.get(), &found) == 0 && !is_trusted(found.st_uid))
        return foreign(path_, "belongs to another user (" + std::to_string(found.st_uid) + ")");
    auto bytes = read_file(file.get());
    if (const int* error = std::get_if<int>(&bytes))
        return refuse(Refused::Why::unreadable, path_, "cannot be read" + reason(*error));
    Answer answer = read_state(std::get<Bytes>(bytes), group_, path_);
    ours_ = std::holds_alternative<State>(answer);
    return answer;
}

std::optional<std::string> StateFile::write(const State& state) {
    if (!ours_) return "state file " + path_ + " is not overwritten: it was not read as ours";
    if (const auto problem = open_folder()) return problem;
    const int folder = folder_.get();
    const std::string name = name_in_folder(path_), beside = name + ".new";
    if (!write_new(folder, beside, write_state(state)) ||
        renameat(folder, beside.c_str(), folder, name.c_str()) != 0) {
        const int error = errno;
        unlinkat(folder, beside.c_str(), 0);
        return "state file " + path_ + " cannot be written" + reason(error);
    }
    if (fsync(folder) != 0)  // a new name is on the disk only when its folder is
        return "state file " + path_ + " was written, but its folder cannot be synchronised" +
               reason(errno);
    return std::nullopt;
}

}  // namespace conclave::agent
