#include "conclave/net/interfaces.hpp"

#include <ifaddrs.h>
#include <net/if.h>

#include <algorithm>
#include <memory>

namespace conclave::net {

namespace {

Interface& entry_of(std::vector<Interface>& list, const ifaddrs& row) {
    const auto known = std::find_if(list.begin(), list.end(),
                                    [&](const Interface& i) { return i.name == row.ifa_name; });
    if (known != list.end()) return *known;
    Interface fresh;
    fresh.name = row.ifa_name;
    fresh.index = if_nametoindex(row.ifa_name);
    fresh.loopback = (row.ifa_flags & IFF_LOOPBACK) != 0;
    fresh.multicast = (row.ifa_flags & IFF_MULTICAST) != 0;
    list.push_back(std::move(fresh));
    return list.back();
}

// As the kernel has it, whether or not somebody gave the address one: all bits set behind the mask.
std::optional<Address> broadcast_of(const Address& address, const std::optional<Address>& mask) {
    if (!mask) return std::nullopt;
    Address all = address;
    for (std::size_t i = 0; i < 4; ++i)
        all.bytes[i] = static_cast<std::uint8_t>(all.bytes[i] | ~mask->bytes[i]);
    return all == address ? std::nullopt : std::optional(all);
}

}  // namespace

bool Interface::speaks(Family family) const {
    return std::any_of(addresses.begin(), addresses.end(),
                       [&](const Address& a) { return a.family == family; });
}

std::optional<Address> Interface::address(Family family) const {
    std::optional<Address> first;
    for (const Address& each : addresses) {
        if (each.family != family) continue;
        if (each.bytes[0] == 0xfe && family == Family::ipv6) return each;
        if (!first) first = each;
    }
    return first;
}

std::vector<Interface> list_interfaces() {
    ifaddrs* rows = nullptr;
    std::vector<Interface> list;
    if (getifaddrs(&rows) != 0) return list;
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(rows, &freeifaddrs);
    for (const ifaddrs* row = rows; row != nullptr; row = row->ifa_next) {
        if ((row->ifa_flags & IFF_UP) == 0) continue;
        const auto address = from_raw(row->ifa_addr);
        if (!address) continue;
        Interface& entry = entry_of(list, *row);
        entry.addresses.push_back(*address);
        if (address->family == Family::ipv4 && (row->ifa_flags & IFF_BROADCAST) != 0)
            entry.broadcast = broadcast_of(*address, from_raw(row->ifa_netmask));
    }
    return list;
}

std::vector<std::string> interface_names() {
    std::vector<std::string> names;
    const std::unique_ptr<struct if_nameindex, decltype(&if_freenameindex)> rows(if_nameindex(),
                                                                                 &if_freenameindex);
    for (const auto* row = rows.get(); row != nullptr && row->if_index != 0; ++row)
        names.emplace_back(row->if_name);
    return names;
}

std::vector<Interface> multicast_paths(const std::vector<Interface>& all, Family family,
                                       bool loopback_only) {
    std::vector<Interface> paths, loopbacks;
    for (const Interface& each : all) {
        if (!each.speaks(family)) continue;
        if (each.loopback)
            loopbacks.push_back(each);
        else if (each.multicast && !loopback_only)
            paths.push_back(each);
    }
    return paths.empty() ? loopbacks : paths;
}

std::vector<Interface> broadcast_paths(const std::vector<Interface>& all, bool loopback_only) {
    std::vector<Interface> paths, loopbacks;
    for (const Interface& each : all) {
        if (!each.speaks(Family::ipv4)) continue;
        if (each.loopback) {
            loopbacks.push_back(each);
            loopbacks.back().broadcast = parse_address("127.255.255.255");
        } else if (each.broadcast && !loopback_only) {
            paths.push_back(each);
        }
    }
    return paths.empty() ? loopbacks : paths;
}

}  // namespace conclave::net
