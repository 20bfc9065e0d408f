#include "conclave/timed/daemon/sockets.hpp"

#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/net/message.hpp"

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
    // The daemon works without these options, less precisely.
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
    const int fd = local_ && to.is_loopback() ? local_.get() : own_.get();
    if (!net::Message(to, bytes).send(fd, MSG_NOSIGNAL | MSG_DONTWAIT)) return false;
    receive(fd, MSG_ERRQUEUE);
    return true;
}

// One datagram a time: whatever else waits makes poll return at once.
void Sockets::serve(int fd) {
    if (!receive(fd, 0)) receive(fd, MSG_ERRQUEUE);
}

bool Sockets::receive(int fd, int flags) {
    net::Message message((flags & MSG_ERRQUEUE) != 0 ? stamp_buffer_ : buffer_);
    const auto bytes = message.receive(fd, flags | MSG_DONTWAIT);
    if (!bytes) return false;
    if (bytes->empty()) return true;  // it warmed the way for another
    const std::optional<Time> stamp = message.stamp();
    if ((message.flags() & MSG_ERRQUEUE) != 0) {
        if (stamp) hearer_.sent(*bytes, *stamp);
        return true;
    }
    const auto from = message.from();
    if (from && (message.flags() & MSG_TRUNC) == 0)
        hearer_.arrived({*from, stamp.value_or(net::unix_time()), stamp.has_value(), *bytes});
    return true;
}

}  // namespace conclave::timed
