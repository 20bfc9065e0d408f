// Each algorithm that the agent can host has a file of its own, so that they compile side by side.
#pragma once

#include "conclave/agent/host.hpp"

namespace conclave::agent {

template <class A>
std::unique_ptr<Host> host_of(const HostSettings& settings, const Place& place, net::Loop& loop,
                              Stage& stage);

}  // namespace conclave::agent
