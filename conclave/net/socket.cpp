#include "conclave/net/socket.hpp"

#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/ip.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "conclave/net/failure.hpp"

namespace conclave::net {

namespace {

int open_socket(Family family) {
    const int domain = family == Family::ipv4 ? AF_INET : AF_INET6;
    const int fd = socket(domain, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) fail("open a UDP socket", errno);
    return fd;
}

template <class T>
T read_control(const cmsghdr* header) {
    T value{};
    std::memcpy(&value, CMSG_DATA(header), sizeof value);
    return value;
}

void read_controls(msghdr& message, Arrival& arrival) {
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
            arrival.interface = static_cast<std::uint32_t>(read_control<in_pktinfo>(c).ipi_ifindex);
        } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
            arrival.interface = read_control<in6_pktinfo>(c).ipi6_ifindex;
        } else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPING) {
            const auto stamp = read_control<std::array<timespec, 3>>(c)[0];
            if (stamp.tv_sec != 0)
                arrival.stamp =
                    std::chrono::seconds(stamp.tv_sec) + std::chrono::nanoseconds(stamp.tv_nsec);
        }
    }
}

template <class T>
void write_control(msghdr& message, std::span<std::byte> room, int level, int type,
                   const T& value) {
    message.msg_control = room.data();
    message.msg_controllen = CMSG_SPACE(sizeof value);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = level;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(sizeof value);
    std::memcpy(CMSG_DATA(header), &value, sizeof value);
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
    RawAddress raw = to_raw(to);
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_name = raw.get();
    message.msg_namelen = raw.size;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<std::byte, 64> control{};
    if (path.interface != 0 && family_ == Family::ipv4) {
        in_pktinfo info{};
        info.ipi_ifindex = static_cast<int>(path.interface);
        std::memcpy(&info.ipi_spec_dst, path.source.bytes.data(), sizeof info.ipi_spec_dst);
        write_control(message, control, IPPROTO_IP, IP_PKTINFO, info);
    } else if (path.interface != 0) {
        in6_pktinfo info{};
        info.ipi6_ifindex = path.interface;
        std::memcpy(&info.ipi6_addr, path.source.bytes.data(), sizeof info.ipi6_addr);
        write_control(message, control, IPPROTO_IPV6, IPV6_PKTINFO, info);
    }
    return sendmsg(fd(), &message, MSG_NOSIGNAL) >= 0;
}

std::optional<Arrival> Socket::receive() {
    RawAddress raw;
    iovec part{buffer_.data(), buffer_.size()};
    alignas(cmsghdr) std::array<std::byte, 512> control{};
    msghdr message{};
    message.msg_name = raw.get();
    message.msg_namelen = sizeof raw.storage;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = recvmsg(fd(), &message, 0);
    if (size < 0) return {};
    const auto from = from_raw(raw.get());
    if (!from) return {};
    Arrival arrival{*from, 0, {}, std::span(buffer_).first(static_cast<std::size_t>(size))};
    read_controls(message, arrival);
    return arrival;
}

Address Socket::local() const {
    RawAddress raw;
    raw.size = sizeof raw.storage;
    if (getsockname(fd(), raw.get(), &raw.size) != 0) fail("ask for a socket's address", errno);
    return from_raw(raw.get()).value_or(Address{});
}

}  // namespace conclave::net
