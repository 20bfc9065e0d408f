// A UDP socket that never blocks: recvmsg and sendmsg, with the arrival's interface and, where
// asked for, the kernel's time of arrival.
#pragma once

#include <span>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"
#include "conclave/net/descriptor.hpp"

namespace conclave::net {

inline constexpr std::size_t datagram_max = 65'536;

struct Arrival {
    Address from;
    Address to;                        // the address of this machine that it was sent to; no port
    std::uint32_t interface = 0;       // on which it came
    std::optional<Time> stamp;         // when, by the kernel's wall clock
    std::span<const std::byte> bytes;  // valid until the next receive
};

// Which way a multicast leaves.
struct Path {
    std::uint32_t interface = 0;
    Address source{};
};

class Socket {
public:
    enum class Use : std::uint8_t { alone, shared };

    // Bound to `at`; shared: several sockets of this machine may have the port, and each gets every
    // multicast. Throws a Failure.
    Socket(const Address& at, Use use);

    // Does the kernel let us hear `group` on this interface? True also when it already did.
    bool join(const Address& group, std::uint32_t interface);
    bool stamp_arrivals();
    // False: the kernel refused, see errno.
    bool send(const Address& to, std::span<const std::byte> bytes) { return send(to, bytes, {}); }
    // On one interface, from its own address, whatever the routing table says.
    bool send(const Address& to, std::span<const std::byte> bytes, const Path& path);
    // The next datagram, if there is one; one call, one datagram.
    std::optional<Arrival> receive();

    Address local() const;
    int fd() const { return descriptor_.get(); }

private:
    void set(int level, int name, int value, const char* what);
    void prepare(Use use);

    Descriptor descriptor_;
    Family family_;
    std::vector<std::byte> buffer_;
};

}  // namespace conclave::net
