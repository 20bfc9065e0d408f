#include "conclave/timed/sockets.hpp"

#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"

namespace conclave::timed {

namespace {

constexpr std::size_t longest = 2048;

// Not every system that stands in for the kernel knows the flags.
net::Descriptor open_socket() {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 && errno == EINVAL) fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0) net::fail("open a UDP socket", errno);
    return net::Descriptor(fd);
}

void ask_for(int fd, int name, int value) {
    // What is refused here makes the daemon worse, not wrong.
    [[maybe_unused]] const int done = setsockopt(fd, SOL_SOCKET, name, &value, sizeof value);
}

bool bind_to(const net::Descriptor& socket, const net::Address& at) {
    const net::RawAddress raw = net::to_raw(at);
    return bind(socket.get(), raw.get(), raw.size) == 0;
}

void prepare(const net::Descriptor& socket, bool shared) {
    constexpr int stamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    if (shared) ask_for(socket.get(), SO_REUSEADDR, 1);
    ask_for(socket.get(), SO_BROADCAST, 1);
    ask_for(socket.get(), SO_RCVBUF, 1 << 21);
    ask_for(socket.get(), SO_TIMESTAMPING, shared ? stamps : stamps | SOF_TIMESTAMPING_TX_SOFTWARE);
}

std::optional<Time> stamp_in(msghdr& message) {
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SO_TIMESTAMPING) continue;
        std::array<timespec, 3> stamps{};
        std::memcpy(&stamps, CMSG_DATA(c), sizeof stamps);
        if (stamps[0].tv_sec != 0)
            return std::chrono::seconds(stamps[0].tv_sec) +
                   std::chrono::nanoseconds(stamps[0].tv_nsec);
    }
    return std::nullopt;
}

}  // namespace

Sockets::Sockets(net::Loop& loop, const net::Address& address, const net::Address& broadcast,
                 Hearer& hearer)
    : loop_(loop),
      hearer_(hearer),
      own_(open_socket()),
      broadcast_(open_socket()),
      buffer_(longest),
      stamp_buffer_(longest) {
    prepare(own_, false);
    prepare(broadcast_, true);
    if (!bind_to(own_, address)) net::fail("bind " + net::text(address), errno);
    // Where the broadcast address cannot be bound, any address hears broadcasts.
    if (!bind_to(broadcast_, broadcast) &&
        !bind_to(broadcast_, net::any_address(net::Family::ipv4, broadcast.port)))
        net::fail("bind " + net::text(broadcast), errno);
    if (!address.is_loopback()) open_local(address.port);
    for (const int fd : descriptors()) loop_.watch(fd, [this, fd] { serve(fd); });
}

Sockets::~Sockets() {
    for (const int fd : descriptors()) loop_.forget(fd);
}

// Another daemon of this machine may have it: then that one answers.
void Sockets::open_local(std::uint16_t port) {
    local_ = open_socket();
    prepare(local_, false);
    const auto address = net::parse_address("127.0.0.1", port);
    if (!address || !bind_to(local_, *address)) local_.reset();
}

std::vector<int> Sockets::descriptors() const {
    std::vector<int> all{own_.get(), broadcast_.get()};
    if (local_) all.push_back(local_.get());
    return all;
}

bool Sockets::send(const net::Address& to, Input bytes) {
    net::RawAddress raw = net::to_raw(to);
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_name = raw.get();
    message.msg_namelen = raw.size;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    const int fd = local_ && to.is_loopback() ? local_.get() : own_.get();
    if (sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return false;
    receive(fd, MSG_ERRQUEUE);
    return true;
}

// One datagram a time: whatever else waits makes poll return at once.
void Sockets::serve(int fd) {
    if (!receive(fd, 0)) receive(fd, MSG_ERRQUEUE);
}

bool Sockets::receive(int fd, int flags) {
    net::RawAddress raw;
    Bytes& buffer = (flags & MSG_ERRQUEUE) != 0 ? stamp_buffer_ : buffer_;
    iovec part{buffer.data(), buffer.size()};
    alignas(cmsghdr) std::array<std::byte, 512> control{};
    msghdr message{};
    message.msg_name = raw.get();
    message.msg_namelen = sizeof raw.storage;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = recvmsg(fd, &message, flags | MSG_DONTWAIT);
    if (size < 0) return false;
    if (size == 0) return true;  // it warmed the way for another
    const Input bytes = Input(buffer).first(static_cast<std::size_t>(size));
    const std::optional<Time> stamp = stamp_in(message);
    if ((message.msg_flags & MSG_ERRQUEUE) != 0) {
        if (stamp) hearer_.sent(bytes, *stamp);
        return true;
    }
    const auto from = net::from_raw(raw.get());
    if (from && (message.msg_flags & MSG_TRUNC) == 0)
        hearer_.arrived({*from, stamp.value_or(net::unix_time()), stamp.has_value(), bytes});
    return true;
}

}  // namespace conclave::timed
