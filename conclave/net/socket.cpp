#include "conclave/net/socket.hpp"

#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/ip.h>

#include <cerrno>
#include <cstring>

#include "conclave/net/failure.hpp"
#include "conclave/net/message.hpp"

namespace conclave::net {

namespace {

int open_socket(Family family) {
    const int domain = family == Family::ipv4 ? AF_INET : AF_INET6;
    const int fd = socket(domain, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) fail("open a UDP socket", errno);
    return fd;
}

// Where the kernel says that it came in.
void note_path(Message& message, Arrival& arrival) {
    if (const auto four = message.control<in_pktinfo>(IPPROTO_IP, IP_PKTINFO)) {
        arrival.interface = static_cast<std::uint32_t>(four->ipi_ifindex);
        std::memcpy(arrival.to.bytes.data(), &four->ipi_addr, sizeof four->ipi_addr);
    } else if (const auto six = message.control<in6_pktinfo>(IPPROTO_IPV6, IPV6_PKTINFO)) {
        arrival.interface = six->ipi6_ifindex;
        arrival.to.family = Family::ipv6;
        std::memcpy(arrival.to.bytes.data(), &six->ipi6_addr, sizeof six->ipi6_addr);
    }
}

}  // namespace

Socket::Socket(const Address& at, Use use)
    : descriptor_(open_socket(at.family)), family_(at.family), buffer_(datagram_max) {
    prepare(use);
    const RawAddress raw = to_raw(at);
    if (bind(fd(), raw.get(), raw.size) != 0) fail("bind " + text(at), errno);
}

void Socket::prepare(Use use) {
    if (use == Use::shared) set(SOL_SOCKET, SO_REUSEADDR, 1, "share the port");
    set(SOL_SOCKET, SO_BROADCAST, 1, "allow broadcast");
    if (family_ == Family::ipv4) {
        set(IPPROTO_IP, IP_PKTINFO, 1, "ask for the interface");
        set(IPPROTO_IP, IP_MULTICAST_TTL, 1, "keep multicast in the subnet");
        set(IPPROTO_IP, IP_MULTICAST_LOOP, 1, "hear this machine's multicast");
        set(IPPROTO_IP, IP_MULTICAST_ALL, 0, "hear only the groups joined");
    } else {
        set(IPPROTO_IPV6, IPV6_V6ONLY, 1, "speak IPv6 only");
        set(IPPROTO_IPV6, IPV6_RECVPKTINFO, 1, "ask for the interface");
        set(IPPROTO_IPV6, IPV6_MULTICAST_HOPS, 1, "keep multicast in the subnet");
        set(IPPROTO_IPV6, IPV6_MULTICAST_LOOP, 1, "hear this machine's multicast");
    }
}

void Socket::set(int level, int name, int value, const char* what) {
    if (setsockopt(fd(), level, name, &value, sizeof value) != 0) fail(what, errno);
}

bool Socket::join(const Address& group, std::uint32_t interface) {
    group_req request{};
    request.gr_interface = interface;
    const RawAddress raw = to_raw(group);
    std::memcpy(&request.gr_group, &raw.storage, sizeof raw.storage);
    const int level = family_ == Family::ipv4 ? IPPROTO_IP : IPPROTO_IPV6;
    return setsockopt(fd(), level, MCAST_JOIN_GROUP, &request, sizeof request) == 0 ||
           errno == EADDRINUSE;
}

bool Socket::stamp_arrivals() {
    const int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    return setsockopt(fd(), SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) == 0;
}

bool Socket::send(const Address& to, std::span<const std::byte> bytes, const Path& path) {
    Message message(to, bytes);
    if (path.interface != 0 && family_ == Family::ipv4) {
        in_pktinfo info{};
        info.ipi_ifindex = static_cast<int>(path.interface);
        std::memcpy(&info.ipi_spec_dst, path.source.bytes.data(), sizeof info.ipi_spec_dst);
        message.add_control(IPPROTO_IP, IP_PKTINFO, info);
    } else if (path.interface != 0) {
        in6_pktinfo info{};
        info.ipi6_ifindex = path.interface;
        std::memcpy(&info.ipi6_addr, path.source.bytes.data(), sizeof info.ipi6_addr);
        message.add_control(IPPROTO_IPV6, IPV6_PKTINFO, info);
    }
    return message.send(fd(), MSG_NOSIGNAL);
}

std::optional<Arrival> Socket::receive() {
    Message message(buffer_);
    const auto bytes = message.receive(fd(), 0);
    if (!bytes) return {};
    const auto from = message.from();
    if (!from) return {};
    Arrival arrival{.from = *from, .to = {}, .stamp = message.stamp(), .bytes = *bytes};
    note_path(message, arrival);
    return arrival;
}

Address Socket::local() const {
    RawAddress raw;
    raw.size = sizeof raw.storage;
    if (getsockname(fd(), raw.get(), &raw.size) != 0) fail("ask for a socket's address", errno);
    return from_raw(raw.get()).value_or(Address{});
}

}  // namespace conclave::net
