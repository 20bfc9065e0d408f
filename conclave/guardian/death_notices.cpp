#include "conclave/guardian/death_notices.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

namespace conclave::guardian {

namespace {

using process::DeathNotice;

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
void choose_interface(msghdr& message, const DeathNotice& death_notice, sa_family_t family) {
    if (family == AF_INET) {
        in_pktinfo info{};
        info.ipi_ifindex = static_cast<int>(death_notice.interface);
        std::memcpy(&info.ipi_spec_dst, death_notice.source.data(), sizeof info.ipi_spec_dst);
        write_control(message, IPPROTO_IP, IP_PKTINFO, info);
    } else {
        in6_pktinfo info{};
        info.ipi6_ifindex = death_notice.interface;
        std::memcpy(&info.ipi6_addr, death_notice.source.data(), sizeof info.ipi6_addr);
        write_control(message, IPPROTO_IPV6, IPV6_PKTINFO, info);
    }
}

void send_one(const DeathNotice& death_notice) {
    sockaddr_in6 address{};
    static_assert(sizeof address == sizeof death_notice.address);
    std::memcpy(&address, death_notice.address.data(), death_notice.address_size);
    std::array<std::byte, DeathNotice::bytes_most> bytes = death_notice.bytes;
    iovec part{bytes.data(), death_notice.size};
    alignas(cmsghdr) std::array<std::byte, 64> control{};
    msghdr message{};
    message.msg_name = &address;
    message.msg_namelen = death_notice.address_size;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (death_notice.interface != 0) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        choose_interface(message, death_notice, address.sin6_family);
    }
    sendmsg(process::socket_place + static_cast<int>(death_notice.socket), &message,
            MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

void DeathNotices::keep(const DeathNotice& death_notice) {
    if (death_notice.place == 0) count_ = 0;
    if (count_ == kept_.size() || death_notice.size > death_notice.bytes.size() ||
        death_notice.address_size > death_notice.address.size() ||
        death_notice.socket >= process::sockets_most)
        return;
    if (death_notice.address_size != 0) kept_[count_++] = death_notice;
}

void DeathNotices::send_all() const {
    for (std::size_t i = 0; i < count_; ++i) send_one(kept_[i]);
}

}  // namespace conclave::guardian
