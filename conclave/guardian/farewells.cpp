#include "conclave/guardian/farewells.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

namespace conclave::guardian {

namespace {

using process::Farewell;

template <class Info>
void write_control(msghdr& message, int level, int type, const Info& info) {
    cmsghdr* control = CMSG_FIRSTHDR(&message);
    control->cmsg_level = level;
    control->cmsg_type = type;
    control->cmsg_len = CMSG_LEN(sizeof info);
    std::memcpy(CMSG_DATA(control), &info, sizeof info);
    message.msg_controllen = CMSG_SPACE(sizeof info);
}

// By the interface and from the address that the agent would have used.
void choose_interface(msghdr& message, const Farewell& farewell, sa_family_t family) {
    if (family == AF_INET) {
        in_pktinfo info{};
        info.ipi_ifindex = static_cast<int>(farewell.interface);
        std::memcpy(&info.ipi_spec_dst, farewell.source.data(), sizeof info.ipi_spec_dst);
        write_control(message, IPPROTO_IP, IP_PKTINFO, info);
    } else {
        in6_pktinfo info{};
        info.ipi6_ifindex = farewell.interface;
        std::memcpy(&info.ipi6_addr, farewell.source.data(), sizeof info.ipi6_addr);
        write_control(message, IPPROTO_IPV6, IPV6_PKTINFO, info);
    }
}

void send_one(const Farewell& farewell) {
    sockaddr_in6 address{};
    static_assert(sizeof address == sizeof farewell.address);
    std::memcpy(&address, farewell.address.data(), farewell.address_size);
    std::array<std::byte, Farewell::bytes_most> bytes = farewell.bytes;
    iovec part{bytes.data(), farewell.size};
    alignas(cmsghdr) std::array<std::byte, 64> control{};
    msghdr message{};
    message.msg_name = &address;
    message.msg_namelen = farewell.address_size;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (farewell.interface != 0) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        choose_interface(message, farewell, address.sin6_family);
    }
    sendmsg(process::socket_place + static_cast<int>(farewell.socket), &message,
            MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

void Farewells::keep(const Farewell& farewell) {
    if (farewell.place == 0) count_ = 0;
    if (count_ == kept_.size() || farewell.size > farewell.bytes.size() ||
        farewell.address_size > farewell.address.size() || farewell.socket >= process::sockets_most)
        return;
    if (farewell.address_size != 0) kept_[count_++] = farewell;
}

void Farewells::send_all() const {
    for (std::size_t i = 0; i < count_; ++i) send_one(kept_[i]);
}

}  // namespace conclave::guardian
