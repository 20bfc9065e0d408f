#include "conclave/agent/disk/state_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "conclave/wire/body.hpp"
#include "conclave/wire/group_key.hpp"

namespace conclave::agent {

namespace {

using Refused = StateFile::Refused;

constexpr std::string_view magic = "conclave state\n";
constexpr std::uint8_t newest = 3;
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

// Leaves the bytes in a new file of that name, on the disk; or says what stopped it.
std::optional<std::string> write_new(const StateFolder& folder, const std::string& name,
                                     Input bytes) {
    unlinkat(folder.fd(), name.c_str(),
             0);  // left by a crash, or by somebody who would be followed
    const auto file = folder.open(name, O_WRONLY | O_CREAT | O_EXCL);
    if (!file.descriptor) return file.problem;
    if (write_all(file.descriptor.get(), bytes) && fsync(file.descriptor.get()) == 0)
        return std::nullopt;
    return "cannot be written" + disk_reason(errno);
}

}  // namespace

bool operator==(const State& a, const State& b) { return fields(a) == fields(b); }

Bytes write_state(const State& state) {
    Bytes bytes;
    for (const char letter : magic) bytes.push_back(static_cast<std::byte>(letter));
    Bytes rest;
    // As early programs can read it, while there is nothing that they do not know.
    const bool changed = state.stamped.known() || state.removed;
    const std::uint8_t format = changed ? 3 : state.done == member::Done{} ? 1 : 2;
    wire::encode_fields(state, format, rest);
    encode(Front{format, static_cast<std::uint32_t>(rest.size())}, bytes);
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
    State state;
    const wire::Body fields{static_cast<std::uint8_t>(front.version), rest.first(front.length)};
    if (front.version == 0 || !wire::decode_fields(state, fields) ||
        write_state(state).size() != bytes.size())
        return corrupt(path, "its fields are not readable");
    if (state.group != group)
        return foreign(path, "belongs to group '" + state.group + "', not to '" + group + "'");
    return state;
}

StateFile::Answer StateFile::read() {
    ours_ = false;
    const auto file = folder_.open(name_, O_RDONLY);
    if (file.error == ENOENT) {
        ours_ = true;
        return Missing{};
    }
    const auto why = file.error == 0 ? Refused::Why::foreign : Refused::Why::unreadable;
    if (!file.descriptor) return refuse(why, path(), file.problem);
    auto bytes = read_file(file.descriptor.get());
    if (const int* error = std::get_if<int>(&bytes))
        return refuse(Refused::Why::unreadable, path(), "cannot be read" + disk_reason(*error));
    Answer answer = read_state(std::get<Bytes>(bytes), group_, path());
    ours_ = std::holds_alternative<State>(answer);
    return answer;
}

std::optional<std::string> StateFile::write(const State& state) {
    const std::string front = "state file " + path() + " ", beside = name_ + ".new";
    if (!ours_) return front + "is not overwritten: it was not read as ours";
    auto problem = write_new(folder_, beside, write_state(state));
    if (!problem && renameat(folder_.fd(), beside.c_str(), folder_.fd(), name_.c_str()) != 0)
        problem = "cannot be written" + disk_reason(errno);
    if (problem) {
        unlinkat(folder_.fd(), beside.c_str(), 0);
        return front + *problem;
    }
    if (fsync(folder_.fd()) != 0)  // a new name is on the disk only when its folder is
        return front + "was written, but its folder cannot be synchronised" + disk_reason(errno);
    return std::nullopt;
}

}  // namespace conclave::agent
