#include "conclave/net/clock.hpp"

#include <ctime>

namespace conclave::net {

namespace {

Time read_clock(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

Time boot_time() { return read_clock(CLOCK_BOOTTIME); }
Time monotonic_time() { return read_clock(CLOCK_MONOTONIC); }
Time raw_time() { return read_clock(CLOCK_MONOTONIC_RAW); }
Time unix_time() { return read_clock(CLOCK_REALTIME); }

}  // namespace conclave::net
