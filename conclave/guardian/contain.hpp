// Starts the first process of the command's tree, in a place that the kernel ends with it.
//
// In a PID namespace the first process is init: when it dies, the kernel kills every other one in
// there, whatever they forked, daemonised or ignored. In a group, where no namespace is asked for,
// the first process adopts orphans and kills them itself.
#pragma once

#include <sys/types.h>

#include "conclave/guardian/leash.hpp"
#include "conclave/guardian/urgency.hpp"
#include "conclave/process/orders.hpp"

namespace conclave::guardian {

using process::Contain;

struct Init {
    pid_t pid = -1;
    int pidfd = -1;   // readable when it and all of its tree are gone
    int socket = -1;  // orders to it and reports from it
    Contain contain = Contain::group;
    int error = 0;  // if there is none: why
};

// The words between the first process and the guardian.
struct InitWord {
    enum class Kind : int { ready, failed, go, signal, end, not_started, exited, expired, ending };
    Kind kind;
    int value = 0;            // errno, signal number or wait status
    std::uint64_t token = 0;  // with `go`: what the command's environment says
    process::Reason reason{};
};

// Files that the first process has from its guardian; all of it outlives both.
struct Inherited {
    char** words = nullptr;  // the command
    Leash* leash = nullptr;
    const Urgency* urgency = nullptr;
};

// The first process with its namespaces made; it waits for `go`.
Init start_init(Contain wish, bool required, const Inherited& inherited);

// Could this machine contain so? For status and --require-contain, before anything depends on it.
bool can_contain(Contain contain, int& error);

}  // namespace conclave::guardian
