// What must be in hand before a node can start: its folder, its lock, its memory, its key.
#pragma once

#include <memory>

#include "conclave/agent/disk/former_tree.hpp"
#include "conclave/agent/disk/state_file.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/log.hpp"
#include "conclave/wire/group_key.hpp"

namespace conclave::agent {

struct Launch {
    wire::Keys keys;
    net::Descriptor lock;  // one agent at a time
    TreeFile tree;         // where the command's first process is recorded
    FormerTree former;     // R8: until it is gone, nothing of the former life is released
    std::unique_ptr<StateFile> file;
    State state;  // as it is on disk now: this life's incarnation
};

// Where the node `name` of a group lives: NAME.state, NAME.lock, NAME.tree, NAME.sock.
std::string place_of(const Config& config, const std::string& ending);

// What prepare_launch would refuse, and a command that is not there; reads, and changes nothing.
// Throws a ConfigRefusal.
void check_launch(const Config& config);

// While the disk of the state folder is full: waits, and warns once. A node that ended would take
// its vote along, and nobody would try again.
void wait_for_room(const Config& config);

// Waits for the guardian of a former life, for a bounded time. Throws a ConfigRefusal. `log` takes
// what is to be said meanwhile; empty: stderr.
Launch prepare_launch(const Config& config, const net::Log::Sink& log = {});

}  // namespace conclave::agent
