#include "conclave/agent/work/spawn.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "conclave/net/descriptor.hpp"

namespace conclave::agent {

namespace {

constexpr int first_place = 3, out_of_the_way = 64;

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> list;
    for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    return list;
}

class Attributes {
public:
    Attributes() {
        posix_spawnattr_init(&attributes_);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    }
    ~Attributes() { posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

class Actions {
public:
    Actions() { posix_spawn_file_actions_init(&actions_); }
    ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;
    posix_spawn_file_actions_t* get() { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

}  // namespace

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& variables) {
    constexpr std::array<std::string_view, 3> private_ones{
        "NOTIFY_SOCKET=", "WATCHDOG_USEC=", "WATCHDOG_PID="};
    std::vector<std::string> list;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view variable(*each);
        const bool left_out =
            std::any_of(private_ones.begin(), private_ones.end(),
                        [&](std::string_view name) { return variable.starts_with(name); }) ||
            std::any_of(variables.begin(), variables.end(),
                        [&](const auto& given) { return variable.starts_with(given.first + "="); });
        if (!left_out) list.emplace_back(variable);
    }
    for (const auto& [name, value] : variables) list.push_back(name + "=" + value);
    return list;
}

// The descriptors are first moved out of the way, so that none is overwritten before it is placed.
std::variant<Spawned, int> spawn_apart(const std::vector<std::string>& words,
                                       const std::vector<std::string>& environment,
                                       const std::vector<int>& descriptors) {
    std::vector<net::Descriptor> moved;
    Actions actions;
    int place = first_place;
    for (const int descriptor : descriptors) {
        if (descriptor >= 0) {
            moved.emplace_back(fcntl(descriptor, F_DUPFD_CLOEXEC, out_of_the_way));
            if (!moved.back()) return errno;
            posix_spawn_file_actions_adddup2(actions.get(), moved.back().get(), place);
        } else {
            posix_spawn_file_actions_addclose(actions.get(), place);
        }
        ++place;
    }
    posix_spawn_file_actions_addclosefrom_np(actions.get(), place);
    const Attributes attributes;
    const std::vector<char*> arguments = pointers(words), variables = pointers(environment);
    pid_t pid = -1;
    const int error = posix_spawn(&pid, words.front().c_str(), actions.get(), attributes.get(),
                                  arguments.data(), variables.data());
    if (error != 0) return error;
    return Spawned{pid};
}

}  // namespace conclave::agent
