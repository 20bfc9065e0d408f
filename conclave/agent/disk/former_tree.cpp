#include "conclave/agent/disk/former_tree.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "conclave/agent/settings/node_config.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/process/pidfd.hpp"
#include "conclave/process/proc.hpp"

namespace conclave::agent {

namespace {

using process::Found;
using process::ProcessFacts;

constexpr std::size_t record_size = 256;
constexpr std::string_view tree_magic = "conclave-tree-1";

// Process ids mean something within one boot and one PID namespace. Read once: a command may
// unmount /proc later.
std::string read_here() {
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    std::array<char, 64> space{};
    if (boot.empty() || readlink("/proc/self/ns/pid", space.data(), space.size() - 1) <= 0)
        return {};
    return boot + " " + space.data();
}

const std::string& here() {
    static const std::string read = read_here();
    return read;
}

struct Record {
    std::string boot{}, space{};  // empty: there is none
    pid_t pid = 0;
    std::uint64_t start = 0;
};

// Nothing: this says of no process and of no absence that it was there.
std::optional<Record> parse(const std::string& text) {
    std::istringstream words(text);
    std::string begin, end;
    Record record;
    if (!(words >> begin) || begin != tree_magic) return std::nullopt;
    if (!(words >> record.boot >> record.space >> record.pid >> record.start >> end))
        return std::nullopt;
    return end == "end" ? std::optional(record) : std::nullopt;
}

std::string padded(std::string text) {
    text.resize(record_size - 1, ' ');
    return text + "\n";
}

bool write_whole(int file, const std::string& text) {
    errno = ENOSPC;  // of a write that stopped short
    return pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

// The process itself, or nothing if it is no more. One that cannot be compared is taken for it.
FormerTree find(const Record& record, Duration lease) {
    net::Descriptor process(process::open_process(record.pid));
    if (!process && errno == ESRCH) return {};
    ProcessFacts facts;
    const Found found = process::read_process(record.pid, facts);
    if (found == Found::none) return {};
    if (found == Found::yes && facts.start != record.start) return {};
    if (!process) return FormerTree::unknown(lease);
    // It should be dying already. It is not killed: in a group it is what ends the others.
    process::signal_process(process.get(), SIGCONT);
    return {std::move(process), record.pid};
}

}  // namespace

FormerTree FormerTree::unknown(Duration span) {
    FormerTree tree;
    tree.until_ = net::boot_time() + span;
    return tree;
}

bool FormerTree::gone() const {
    if (!process_) return net::boot_time() >= until_;
    pollfd watched{process_.get(), POLLIN, 0};
    return poll(&watched, 1, 0) == 1 && (watched.revents & POLLIN) != 0;
}

std::string FormerTree::remark() const {
    if (pid_ == 0)
        return "cannot tell whether the former command is gone: votes, but leads only after the "
               "former lease has expired";
    return "the former command is not gone (its first process is " + std::to_string(pid_) +
           "): votes, but neither leads nor releases its former lease until it is";
}

TreeFile::TreeFile(StateFolder folder, std::string name, bool stood)
    : folder_(std::move(folder)), name_(std::move(name)) {
    const std::string front = "tree file " + folder_->place(name_) + " ";
    const auto file = folder_->open(name_, O_RDWR | O_CREAT);
    if (!file.descriptor) refuse(front + file.problem, exit_code::state);
    struct stat found{};
    if (fstat(file.descriptor.get(), &found) != 0 || found.st_size != 0) return;
    const std::string text = std::string(tree_magic) + (stood ? " lost" : " - - 0 0 end");
    if (!write_whole(file.descriptor.get(), padded(text)))
        refuse(front + "cannot be written" + disk_reason(errno), exit_code::state);
}

FormerTree TreeFile::former(Duration lease) const {
    if (!folder_) return {};
    std::array<char, record_size> bytes{};
    const auto file = folder_->open(name_, O_RDONLY);
    const ssize_t got = pread(file.descriptor.get(), bytes.data(), bytes.size(), 0);
    const auto record =
        got <= 0 ? std::nullopt : parse({bytes.data(), static_cast<std::size_t>(got)});
    if (!record) return FormerTree::unknown(lease);
    if (record->pid == 0) return {};
    std::istringstream words(here());
    std::string boot, space;
    words >> boot >> space;
    if (boot.empty()) return FormerTree::unknown(lease);
    if (record->boot != boot) return {};
    if (record->space != space) return FormerTree::unknown(lease);
    return find(*record, lease);
}

std::optional<std::string> TreeFile::record(pid_t first) const {
    if (!folder_) return std::nullopt;
    ProcessFacts facts;
    const std::string& place = here();
    if (place.empty() || process::read_process(first, facts) != Found::yes)
        return "the command is not started, for its first process cannot be identified: " +
               (proc_problem().empty() ? "it is gone" : proc_problem());
    const std::string text = std::string(tree_magic) + " " + place + " " + std::to_string(first) +
                             " " + std::to_string(facts.start) + " end";
    const std::string front =
        "the command is not started: tree file " + folder_->place(name_) + " ";
    const auto file = folder_->open(name_, O_WRONLY);
    if (!file.descriptor) return front + file.problem;
    if (!write_whole(file.descriptor.get(), padded(text)))
        return front + "cannot be written" + disk_reason(errno);
    return std::nullopt;
}

std::string proc_problem() {
    if (process::proc_folder() >= 0) return {};
    return "/proc does not show this process: mount a proc file system there";
}

}  // namespace conclave::agent
