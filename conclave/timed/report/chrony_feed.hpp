// Samples for a chronyd on this machine: the protocol of its SOCK reference clock.
//
// chronyd makes the socket, owns the machine's clock, and serves NTP to devices that speak nothing
// else. Samples that it does not take are lost: the next comes a second later.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "conclave/core/time.hpp"
#include "conclave/net/descriptor.hpp"

namespace conclave::timed {

// The 40 bytes that chrony reads on a 64-bit machine: when this machine's clock showed `real`, the
// network's time was later by `offset`.
using ChronySample = std::array<std::byte, 40>;
ChronySample chrony_sample(Time real, Duration offset);

class ChronyFeed {
public:
    // Throws a net::Failure.
    explicit ChronyFeed(const std::string& path);

    // False: nobody took it.
    bool send(Time real, Duration offset) const;

private:
    std::string path_;
    net::Descriptor socket_;
};

}  // namespace conclave::timed
