#include "conclave/agent/hooks.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstring>

#include "conclave/agent/spawn.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/process/pidfd.hpp"

namespace conclave::agent {

namespace {

constexpr std::size_t waiting_most = 100;

// In our session, which tells it from the command's tree, but in a process group of its own.
int spawn_shell(const std::string& command, const std::vector<std::string>& environment,
                pid_t& pid) {
    std::array<std::string, 3> words{"sh", "-c", command};
    std::vector<char*> arguments, variables;
    for (std::string& word : words) arguments.push_back(word.data());
    for (const std::string& each : environment)
        variables.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    variables.push_back(nullptr);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    const int error =
        posix_spawn(&pid, "/bin/sh", nullptr, &attributes, arguments.data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    return error;
}

}  // namespace

Hooks::Hooks(net::Loop& loop, Duration limit, Complain complain)
    : loop_(loop),
      limit_(limit),
      complain_(std::move(complain)),
      deadline_(loop, [this] { end_late(); }) {}

Hooks::~Hooks() {
    if (!running_) return;
    loop_.forget(running_.get());
    end_late();
    waitpid(pid_, nullptr, 0);
}

void Hooks::run(const std::string& name, const std::string& command, Variables variables) {
    if (command.empty()) return;
    if (waiting_.size() >= waiting_most) waiting_.pop_front();  // what is old news goes first
    waiting_.push_back({name, command, std::move(variables)});
    if (!running_) start_next();
}

void Hooks::start_next() {
    while (!running_ && !waiting_.empty()) {
        const Job job = std::move(waiting_.front());
        waiting_.pop_front();
        const int error = spawn_shell(job.command, environment_with(job.variables), pid_);
        if (error != 0) {
            complain_("--" + job.name + " cannot be run (" + std::strerror(error) + ")");
            continue;
        }
        running_ = net::Descriptor(process::open_process(pid_));
        name_ = job.name;
        late_ = false;
        loop_.watch(running_.get(), [this] { look_after(); });
        deadline_.set(net::boot_time() + limit_);
    }
}

void Hooks::end_late() {
    late_ = true;
    kill(-pid_, SIGKILL);
}

void Hooks::look_after() {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == 0) return;
    kill(-pid_, SIGKILL);  // what it left behind
    deadline_.stop();
    loop_.forget(running_.get());
    running_.reset();
    if (late_)
        complain_("--" + name_ + " took longer than " + format_duration(limit_) +
                  ", and was ended");
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        complain_("--" + name_ + " failed with " +
                  (WIFEXITED(status) ? "code " + std::to_string(WEXITSTATUS(status))
                                     : "signal " + std::to_string(WTERMSIG(status))));
    start_next();
}

}  // namespace conclave::agent
