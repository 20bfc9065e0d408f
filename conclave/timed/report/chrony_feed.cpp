#include "conclave/timed/report/chrony_feed.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "conclave/net/failure.hpp"

namespace conclave::timed {

namespace {

// chrony's struct sock_sample. The time is the machine's own; the offset is in seconds.
struct Sample {
    timeval time{};
    double offset = 0;
    std::int32_t pulse = 0;  // 0: a whole time, not the beginning of a second only
    std::int32_t leap = 0;   // no leap second is near
    std::int32_t unused = 0;
    std::int32_t magic = 0x534f434b;  // "SOCK"
};

}  // namespace

// Whole microseconds are enough for the time of a sample: what it is off by does not change so
// fast.
ChronySample chrony_sample(Time real, Duration offset) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(real);
    const auto rest = std::chrono::floor<std::chrono::microseconds>(real - seconds);
    return std::bit_cast<ChronySample>(
        Sample{.time = {.tv_sec = seconds.count(), .tv_usec = rest.count()},
               .offset = static_cast<double>(offset.count()) / 1e9});
}

ChronyFeed::ChronyFeed(const std::string& path) : path_(path) {
    if (path.size() >= sizeof(sockaddr_un::sun_path))
        net::fail("feed " + path + " (give a shorter --chrony-sock)", ENAMETOOLONG);
    socket_ = net::Descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket_) net::fail("open a socket for chrony", errno);
}

bool ChronyFeed::send(Time real, Duration offset) const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    const ChronySample sample = chrony_sample(real, offset);
    return sendto(socket_.get(), sample.data(), sample.size(), MSG_NOSIGNAL,
                  reinterpret_cast<const sockaddr*>(&address),
                  sizeof address) == static_cast<ssize_t>(sample.size());
}

}  // namespace conclave::timed
