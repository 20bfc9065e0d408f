#include "conclave/agent/launch.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>
#include <utility>

#include "conclave/agent/disk/lock_file.hpp"
#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/settings/own_key.hpp"
#include "conclave/agent/work/guardian_link.hpp"
#include "conclave/member/wish.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/log.hpp"

namespace conclave::agent {

namespace {

// The guardian of a former life may still be ending its command. An agent that lives is not waited
// for, but one that was killed a moment ago may still look alive.
net::Descriptor take_place(const Config& config, const StateFolder& folder,
                           const net::Log::Sink& log) {
    using std::chrono::milliseconds;
    constexpr Duration dying = milliseconds(500), silent = milliseconds(500);
    const Time began = net::boot_time(), give_up = began + config.detect + config.stop_timeout;
    const std::string who = "a node '" + config.name + "' of group '" + config.group + "'";
    for (bool told = false;;) {
        auto answer = take_lock(folder, config.name + ".lock");
        if (auto* lock = std::get_if<net::Descriptor>(&answer)) return std::move(*lock);
        if (const auto* refused = std::get_if<LockRefused>(&answer))
            refuse(refused->sentence, exit_code::state);
        const pid_t agent = std::get<LockBusy>(answer).agent;
        const Duration waited = net::boot_time() - began;
        if (agent != 0 && waited > dying)
            refuse(who + " runs on this machine already (process " + std::to_string(agent) +
                       "): stop it, or give this one another --name",
                   exit_code::name_taken);
        if (net::boot_time() > give_up)
            refuse(
                who + " runs on this machine already, or the command that it left has not ended " +
                    "within " + format_duration(config.detect + config.stop_timeout) +
                    ": look for a process that cannot be killed, or give this one another --name",
                exit_code::name_taken);
        std::this_thread::sleep_for(milliseconds(5));
        if (waited > silent && !std::exchange(told, true))
            net::Log(config.group + "/" + config.name, log)
                .info("waits until the guardian of its former life has ended its command");
    }
}

// The members and the times of a group that has changed are its own to know: what was given when it
// was formed, or when this node joined it, may be out of date.
void check_roster(const Config& config, const State& state, const std::string& path) {
    if (state.name != config.name)
        refuse("state file " + path + " belongs to node '" + state.name + "', not to '" +
                   config.name +
                   "': choose another folder with --state, or give this node its own "
                   "--name " +
                   state.name,
               exit_code::state);
    const lease::Roster& stamped = state.stamped;
    const bool left = stamped.known() && !stamped.pending() && !config.join && !config.observer &&
                      !member::has_member(stamped, config.name);
    if (state.removed || left)
        refuse(removed_sentence(config) + " (" + path + ")", exit_code::removed);
    if (state.roster.version == 0) return;
    if (stamped.known()) return;
    std::vector<std::string> stored, given;
    for (const StoredMember& member : state.roster.members) stored.push_back(member.name);
    for (const NamedAddress& member : config.members) given.push_back(member.name);
    std::sort(given.begin(), given.end());
    const std::string fixed = " contradicts the members of group '" + config.group + "', " +
                              join(stored) + " (in " + path +
                              "): conclave members add, remove and replace change them while it "
                              "runs";
    if (config.expect != 0 && config.expect != stored.size())
        refuse("--expect " + std::to_string(config.expect) + fixed);
    if (!given.empty() && given != stored) refuse("--members " + join(given) + fixed);
}

[[noreturn]] void refuse_folder(const std::string& folder, const std::error_code& reason) {
    refuse("--state: the folder " + folder + " cannot be made (" + reason.message() +
               "): give one that this user may write to",
           exit_code::state);
}

// The folder itself, or the nearest one above it that is there.
std::filesystem::path nearest_there(const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code reason;
    fs::path there = fs::absolute(folder);
    while (!fs::exists(fs::symlink_status(there, reason)) && there.has_relative_path())
        there = there.parent_path();
    return there;
}

// Whether a folder could be made, without making it. In those of the kernel nothing can be made,
// not even by root, whom access() lets write everywhere.
void check_folder(const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code reason;
    const fs::path there = nearest_there(folder);
    if (!fs::is_directory(there, reason))
        refuse_folder(folder, std::make_error_code(std::errc::not_a_directory));
    if (access(there.c_str(), W_OK | X_OK) != 0)
        refuse_folder(folder, {errno, std::generic_category()});
    struct statfs found{};
    if (statfs(there.c_str(), &found) == 0 &&
        (found.f_type == PROC_SUPER_MAGIC || found.f_type == SYSFS_MAGIC))
        refuse_folder(folder, std::make_error_code(std::errc::read_only_file_system));
}

// Others may look into it, but not write to it, whatever the umask allows.
void make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(folder).parent_path(), error);
    if (error) refuse_folder(folder, error);
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST)
        refuse_folder(folder, {errno, std::generic_category()});
}

std::string folder_of(const Config& config) { return config.state + "/" + config.group; }

// As execvp would find it.
bool is_executable(const std::string& program) {
    const auto found = [](const std::string& path) {
        return access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
    };
    if (program.find('/') != std::string::npos) return found(program);
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (found((folder.empty() ? "." : folder) + "/" + program)) return true;
    return false;
}

StateFile state_file(const Config& config, const StateFolder& folder) {
    return {folder, config.name + ".state", config.group};
}

// The stored state; a new one if there is none.
State read_checked(const Config& config, StateFile& file) {
    auto answer = file.read();
    if (const auto* refused = std::get_if<StateFile::Refused>(&answer))
        refuse(refused->sentence, exit_code::state);
    if (auto* state = std::get_if<State>(&answer)) {
        check_roster(config, *state, file.path());
        return std::move(*state);
    }
    return {.group = config.group, .name = config.name, .id = wire::random_number()};
}

// Without it a command's processes can neither be found nor be told from later ones.
void check_proc(const Config& config) {
    if (config.command.empty()) return;
    if (const std::string problem = proc_problem(); !problem.empty())
        refuse("a command cannot be guarded here, for " + problem);
}

// Found out now, not only when this node leads for the first time.
void check_command(const Config& config) {
    if (!config.command.empty() && !is_executable(config.command.front()))
        refuse("the command '" + config.command.front() +
               "' is not there, or may not be executed: give its path");
}

// Containment that the kernel does not enforce is used only if it is named.
void check_containment(const Config& config) {
    if (config.command.empty() || config.witness) return;
    const std::string guardian = find_guardian();
    if (!is_executable(guardian))
        refuse("the guardian " + guardian +
               " is not there, or may not be executed: CONCLAVE_GUARDIAN may name another");
    const Contain wish = contain_of(config.contain);
    if (wish == Contain::group) return;
    if (const auto why = probe_containment(guardian, wish, config.require_contain))
        refuse("--contain " + config.contain + ": " + *why +
               ": run as root or allow user namespaces, or choose --contain group, which is "
               "weaker (see docs/guardian.md)");
}

}  // namespace

std::string place_of(const Config& config, const std::string& ending) {
    return folder_of(config) + "/" + config.name + ending;
}

void wait_for_room(const Config& config) {
    namespace fs = std::filesystem;
    for (bool told = false;; std::this_thread::sleep_for(std::chrono::milliseconds(200))) {
        const fs::path there = nearest_there(folder_of(config));
        const net::Descriptor folder(open(there.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        const net::Log log(config.group + "/" + config.name);
        if (!folder || writing_problem(folder.get()) != ENOSPC) {
            if (told) log.notice("there is room again for its state");
            return;
        }
        if (!std::exchange(told, true))
            log.warn("waits: the disk with the state folder " + folder_of(config) +
                     " is full; make room there, or give --state another folder");
    }
}

void check_launch(const Config& config) {
    read_group_keys(config, false);
    check_command(config);
    check_proc(config);
    check_containment(config);
    const std::string folder = folder_of(config);
    check_folder(folder);
    if (!std::filesystem::exists(folder)) return;
    StateFile file = state_file(config, StateFolder(folder));
    read_checked(config, file);
}

Launch prepare_launch(const Config& config, const net::Log::Sink& log) {
    Launch launch;
    launch.keys = read_group_keys(config, true);
    check_command(config);
    check_proc(config);
    check_containment(config);
    make_folder(folder_of(config));
    const StateFolder folder(folder_of(config));
    launch.lock = take_place(config, folder, log);
    launch.file = std::make_unique<StateFile>(state_file(config, folder));
    launch.state = read_checked(config, *launch.file);
    const bool stood = launch.state.used.stands();
    launch.tree = TreeFile(folder, config.name + ".tree", stood);
    launch.former = launch.tree.former(std::max(config.detect, launch.state.lease));
    ++launch.state.incarnation;
    if (const auto problem = launch.file->write(launch.state)) refuse(*problem, exit_code::state);
    return launch;
}

}  // namespace conclave::agent
