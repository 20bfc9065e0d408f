// One node at a time lives in a state folder.
//
// The lock belongs to the open file, not to the process: guardian and init inherit it, so that a
// new agent waits for them. It does not prove that the command's tree is gone: see former_tree.hpp.
// The file names the agent that took it last.
#pragma once

#include <sys/types.h>

#include <string>
#include <variant>

#include "conclave/agent/disk/state_folder.hpp"
#include "conclave/net/descriptor.hpp"

namespace conclave::agent {

struct LockBusy {
    pid_t agent = 0;  // alive, and has it; 0: what a former agent left, or not known
};
struct LockRefused {
    std::string sentence;
};

// Does not wait. The descriptor is closed on exec unless it is handed on.
std::variant<net::Descriptor, LockBusy, LockRefused> take_lock(const StateFolder& folder,
                                                               const std::string& name);

}  // namespace conclave::agent
