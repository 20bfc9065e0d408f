// The machine's network interfaces that are up, with their addresses.
#pragma once

#include <string>
#include <vector>

#include "conclave/net/address.hpp"

namespace conclave::net {

struct Interface {
    std::string name;
    std::uint32_t index = 0;
    bool loopback = false;
    bool multicast = false;
    std::vector<Address> addresses;
    std::optional<Address> broadcast;  // of its IPv4 subnet

    bool operator==(const Interface&) const = default;
    bool speaks(Family family) const;
    // Its first address of that kind; of IPv6 the link-local one, which every neighbour can answer.
    std::optional<Address> address(Family family) const;
};

std::vector<Interface> list_interfaces();
std::vector<std::string> interface_names();  // of all, up or not

// Where a multicast must be sent to reach every neighbour once: on all interfaces that can, and on
// the loopback only when it stands alone, because a multicast comes back to its own machine anyhow.
std::vector<Interface> multicast_paths(const std::vector<Interface>& all, Family family,
                                       bool loopback_only);

// The same for broadcast: every interface whose IPv4 subnet has a broadcast address, or the
// loopback, whose subnet has one as well.
std::vector<Interface> broadcast_paths(const std::vector<Interface>& all, bool loopback_only);

}  // namespace conclave::net
