#include "conclave/agent/work/shell_script.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstring>

#include "conclave/agent/work/spawn.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/process/pidfd.hpp"

namespace conclave::agent {

namespace {

// In our session, which tells it from the command's tree, but in a process group of its own.
int spawn_shell(std::string command, std::vector<std::string> environment, pid_t& pid) {
    std::array<std::string, 3> words{"sh", "-c", std::move(command)};
    std::vector<char*> arguments, variables;
    for (std::string& word : words) arguments.push_back(word.data());
    for (std::string& each : environment) variables.push_back(each.data());
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

Script::Script(net::Loop& loop) : loop_(loop), limit_(loop, [this] { end_late(); }) {}

Script::~Script() {
    if (pid_ <= 0) return;
    loop_.forget(process_.get());
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Script::start(const std::string& command, const Variables& variables, Duration limit,
                   Done done) {
    done_ = std::move(done);
    late_ = false;
    allowed_ = limit;
    if (const int error = spawn_shell(command, environment_with(variables), pid_); error != 0) {
        pid_ = -1;
        return finish(false, std::string("could not be started: ") + std::strerror(error));
    }
    process_ = net::Descriptor(process::open_process(pid_));
    loop_.watch(process_.get(), [this] { reap(); });
    limit_.set(net::boot_time() + limit);
}

// With it goes whatever it started, unless that left its group.
void Script::end_late() {
    late_ = true;
    kill(-pid_, SIGKILL);
}

void Script::reap() {
    int status = 0;
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) return;
    loop_.forget(process_.get());
    process_.reset();
    limit_.stop();
    pid_ = -1;
    if (ended < 0) return finish(false, "was reaped by somebody else");
    if (late_) return finish(false, "took longer than " + format_duration(allowed_));
    if (WIFSIGNALED(status))
        return finish(false, "was ended by signal " + std::to_string(WTERMSIG(status)));
    const int code = WEXITSTATUS(status);
    finish(code == 0, "exited with code " + std::to_string(code));
}

void Script::finish(bool well, const std::string& words) {
    if (const Done done = std::exchange(done_, nullptr)) done(well, words);
}

}  // namespace conclave::agent
