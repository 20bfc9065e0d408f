// One node at a time lives in a state folder, with its guardian and its command.
//
// The lock belongs to the open file, not to the process: guardian and init inherit it, so it is
// free only when agent, guardian and init are all gone. Who gets it may therefore release what the
// former agent held.
#pragma once

#include <string>
#include <variant>

#include "conclave/net/descriptor.hpp"

namespace conclave::agent {

struct LockBusy {};  // somebody of the former node is still alive
struct LockRefused {
    std::string sentence;
};

// Does not wait. The descriptor is closed on exec unless it is handed on.
std::variant<net::Descriptor, LockBusy, LockRefused> take_lock(const std::string& path);

}  // namespace conclave::agent
