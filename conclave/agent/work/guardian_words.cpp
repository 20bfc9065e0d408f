// Where the guardian is, what the machine allows it, and how an end reads.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "conclave/agent/work/guardian_link.hpp"
#include "conclave/agent/work/spawn.hpp"
#include "conclave/core/names.hpp"
#include "conclave/process/own_program.hpp"

namespace conclave::agent {

namespace {

std::string reason_of(int error) {
    return error == process::no_proc_error ? "/proc does not show this process: mount a proc file "
                                             "system there"
                                           : std::strerror(error);
}

std::string ended(int status) {
    if (WIFSIGNALED(status))
        return "the command was killed by signal " + std::to_string(WTERMSIG(status));
    return "the command exited with code " + std::to_string(WEXITSTATUS(status));
}

std::optional<std::string> probe_one(const std::string& guardian, Contain contain) {
    const std::string mode(name_of(contain));
    const auto spawned =
        spawn_apart({guardian, "--probe", mode}, environment_with({}), std::vector<int>{});
    if (const int* error = std::get_if<int>(&spawned))
        return "the guardian " + guardian + " cannot be started (" + std::strerror(*error) + ")";
    int status = 0;
    while (waitpid(std::get<Spawned>(spawned).pid, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
    return "containment " + mode + " is refused by this machine (" +
           reason_of(WEXITSTATUS(status)) + ")";
}

}  // namespace

std::string find_guardian() {
    if (const char* named = std::getenv("CONCLAVE_GUARDIAN")) return named;
    return (process::program_folder() / "conclave-guardian").string();
}

Contain contain_of(const std::string& name) {
    for (const Contain each : {Contain::pid, Contain::user, Contain::group})
        if (name == name_of(each)) return each;
    return Contain::best;
}

std::optional<std::string> probe_containment(const std::string& guardian, Contain contain,
                                             bool required) {
    std::string refused;
    const auto last = static_cast<int>(process::last_choice(contain, required));
    for (auto mode = static_cast<int>(process::first_choice(contain)); mode <= last; ++mode) {
        const auto why = probe_one(guardian, static_cast<Contain>(mode));
        if (!why) return std::nullopt;
        refused += (refused.empty() ? "" : "; ") + *why;
    }
    return refused;
}

namespace {

std::string how_it_ended(const GuardianLink::Event& gone) {
    const std::string reason = gone.error == 0 ? "" : reason_of(gone.error);
    switch (gone.cause) {
        case Cause::ended: return ended(gone.status);
        case Cause::stopped: return "the command was stopped";
        case Cause::deadline: return "the command was stopped because the lease ran out";
        case Cause::agent_died: return "the command was killed because its agent died";
        case Cause::watchdog: return "the command was killed because it gave no sign of life";
        case Cause::not_started: return "the command cannot be started (" + reason + ")";
        case Cause::refused: return "the required containment is refused here (" + reason + ")";
        case Cause::too_late: return "the lease was over before the command began";
        case Cause::lost: return "the first process of the command's containment was killed";
        case Cause::unrecorded: return gone.problem;
        case Cause::guardian_died: return "the command ended because its guardian died";
    }
    return {};
}

}  // namespace

std::string describe(const GuardianLink::Event& gone) {
    using process::Cleanup;
    const std::string words = how_it_ended(gone);
    if (gone.cleanup == Cleanup::failed) return words + "; --on-stopped failed";
    return gone.cleanup == Cleanup::killed ? words + "; --on-stopped took too long, and was killed"
                                           : words;
}

}  // namespace conclave::agent
