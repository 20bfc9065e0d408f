#include "conclave/net/interface_watch.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cstddef>

namespace conclave::net {

namespace {

Descriptor open_netlink() {
    Descriptor made(socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE));
    sockaddr_nl own{};
    own.nl_family = AF_NETLINK;
    own.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
    if (made && bind(made.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0)
        made.reset();
    return made;
}

}  // namespace

InterfaceWatch::InterfaceWatch(Loop& loop, std::function<void()> changed)
    : loop_(loop), changed_(std::move(changed)), descriptor_(open_netlink()) {
    if (descriptor_) loop_.watch(descriptor_.get(), [this] { read(); });
}

InterfaceWatch::~InterfaceWatch() {
    if (descriptor_) loop_.forget(descriptor_.get());
}

// The content of a message is ignored, so a truncated one is fine. recv reports an overflow of the
// socket's buffer as an error; that counts as a change too.
void InterfaceWatch::read() {
    std::byte first{};
    for (int i = 0; i < 64; ++i)
        if (recv(descriptor_.get(), &first, sizeof first, 0) < 0) break;
    changed_();
}

}  // namespace conclave::net
