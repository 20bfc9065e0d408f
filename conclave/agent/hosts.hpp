// Each algorithm that the agent can host has a file of its own, so that they compile side by side.
#pragma once

#include "conclave/agent/host.hpp"

namespace conclave::agent {

struct Hosted {
    std::string_view algorithm;
    std::unique_ptr<Host> (*make)(const HostSettings& settings, const Place& place, net::Loop& loop,
                                  Stage& stage);
};

std::vector<Hosted> all_hosted();

}  // namespace conclave::agent
