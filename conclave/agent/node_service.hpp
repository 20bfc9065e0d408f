// A node with all that surrounds it in a process of its own: control socket, HTTP, hooks, health
// check, systemd, signals.
#pragma once

#include <string>

#include "conclave/agent/settings/node_config.hpp"

namespace conclave::agent {

struct Served {
    int code = 0;
    std::string why{};  // where the end is worth a sentence
};

// Until the node ends. Throws a ConfigRefusal or a net::Failure.
Served serve(const Config& config);

}  // namespace conclave::agent
