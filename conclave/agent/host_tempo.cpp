#include "conclave/agent/hosting.hpp"
#include "conclave/agent/hosts.hpp"

namespace conclave::agent {

template <>
std::unique_ptr<Host> host_of<Tempo>(const HostSettings& settings, const Place& place,
                                     net::Loop& loop, Stage& stage) {
    return std::make_unique<HostOf<Tempo>>(settings, place, loop, stage);
}

}  // namespace conclave::agent
