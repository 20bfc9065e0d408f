// What must be in hand before a node can start: its folder, its lock, its memory, its key.
#pragma once

#include <memory>

#include "conclave/agent/config.hpp"
#include "conclave/agent/state_file.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/wire/key.hpp"

namespace conclave::agent {

struct Launch {
    wire::Keys keys;
    net::Descriptor lock;  // R8: free only when all of the former node is gone
    std::unique_ptr<StateFile> file;
    State state;  // as it is on disk now: this life's incarnation
};

// Where the node `name` of a group lives: NAME.state, NAME.lock, NAME.sock.
std::string place_of(const Config& config, const std::string& ending);

// What prepare_launch would refuse, and a command that is not there; reads, and changes nothing.
// Throws a ConfigRefusal.
void check_launch(const Config& config);

// Waits for what is left of a former node. Throws a ConfigRefusal.
Launch prepare_launch(const Config& config);

}  // namespace conclave::agent
