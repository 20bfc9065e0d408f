// Where a datagram comes from or goes to: an IPv4 or IPv6 address with a port, as a value.
#pragma once

#include <sys/socket.h>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace conclave::net {

enum class Family : std::uint8_t { ipv4, ipv6 };

struct Address {
    Family family = Family::ipv4;
    std::array<std::uint8_t, 16> bytes{};  // in the order of the network; IPv4 uses four of them
    std::uint16_t port = 0;
    std::uint32_t scope = 0;  // the interface of an IPv6 link-local address

    auto operator<=>(const Address&) const = default;

    bool is_loopback() const;
    bool is_multicast() const;
    Address with_port(std::uint16_t other) const;
};

// "10.0.0.1:7676", "[fe80::1%eth0]:7676"; without a port `port` is taken. A host's name is not
// looked up: a node must come up while the name service is down.
std::optional<Address> parse_address(std::string_view text, std::uint16_t port = 0);
std::string text(const Address& address);
std::string host_text(const Address& address);  // without the port
Address any_address(Family family, std::uint16_t port);

// To and from what the kernel takes.
struct RawAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;

    sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};
RawAddress to_raw(const Address& address);
std::optional<Address> from_raw(const sockaddr* raw);

}  // namespace conclave::net
