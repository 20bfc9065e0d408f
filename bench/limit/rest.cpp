// The least that a node at rest can cost: limit_rest leads|follows NODES ADDRESS
//
// Once a second the leader multicasts a datagram, hears its own copy, receives an answer from each
// of the others, and wakes a second process that sets a timer; the others answer. Nothing is
// decided, checked or kept. It runs until it is killed.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

namespace {

constexpr in_port_t port = 7676;
constexpr std::size_t size = 100;  // of a datagram, about that of a renewal

struct Place {
    sockaddr_in raw{};
    explicit Place(in_port_t at, const char* address = "0.0.0.0") {
        raw.sin_family = AF_INET;
        raw.sin_port = htons(at);
        inet_aton(address, &raw.sin_addr);
    }
    sockaddr* get() { return reinterpret_cast<sockaddr*>(&raw); }
};

int open_socket(in_port_t at) {
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    Place place(at);
    if (bind(fd, place.get(), sizeof place.raw) != 0) std::exit(1);
    return fd;
}

// As a guardian does at each renewal.
void stand_by(int channel) {
    const int timer = timerfd_create(CLOCK_BOOTTIME, 0);
    const itimerspec far{{0, 0}, {100, 0}};
    for (char bytes[size]; recv(channel, bytes, size, 0) > 0;)
        timerfd_settime(timer, 0, &far, nullptr);
}

int milliseconds_until(std::chrono::steady_clock::time_point time) {
    const auto left = time - std::chrono::steady_clock::now();
    return static_cast<int>(
        std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(left).count()));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const bool leads = std::string_view(argv[1]) == "leads";
    const long others = std::atol(argv[2]) - 1;
    Place group(port, "239.255.76.76"), me(0, argv[3]);
    const int own = open_socket(0), shared = open_socket(port);
    const ip_mreq membership{group.raw.sin_addr, me.raw.sin_addr};
    setsockopt(shared, IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof membership);
    setsockopt(own, IPPROTO_IP, IP_MULTICAST_IF, &me.raw.sin_addr, sizeof me.raw.sin_addr);
    int channel[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel) != 0) return 1;
    if (leads && fork() == 0) {
        close(channel[0]);
        stand_by(channel[1]);
        return 0;
    }
    close(channel[1]);
    char bytes[size]{};
    auto next = std::chrono::steady_clock::now();
    for (long answers = 0;;) {
        pollfd ready[]{{own, POLLIN, 0}, {shared, POLLIN, 0}};
        poll(ready, 2, leads ? milliseconds_until(next) : -1);
        if (leads && milliseconds_until(next) == 0) {
            next += std::chrono::seconds(1);
            sendto(own, bytes, size, 0, group.get(), sizeof group.raw);
        }
        Place from(0);
        socklen_t length = sizeof from.raw;
        if (ready[1].revents != 0)
            while (recvfrom(shared, bytes, size, 0, from.get(), &length) > 0)
                if (!leads) sendto(own, bytes, size, 0, from.get(), length);
        if (ready[0].revents != 0)
            while (recv(own, bytes, size, 0) > 0)
                if (++answers % others == 0) send(channel[0], bytes, 16, MSG_NOSIGNAL);
    }
}
