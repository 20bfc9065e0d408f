#include "conclave/agent/pace/jitter.hpp"

#include <ctime>

#include <algorithm>

#include "conclave/agent/settings/node_config.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

Duration measure_lateness(Duration span) {
    constexpr Duration nap = std::chrono::milliseconds(1);
    const timespec length{0, nap.count()};
    Duration worst{};
    const Time end = net::boot_time() + span;
    for (Time before = net::boot_time(); before < end; before = net::boot_time()) {
        clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
        worst = std::max(worst, net::boot_time() - before - nap);
    }
    return worst;
}

Duration least_detect(Duration late) {
    using std::chrono::milliseconds;
    constexpr Duration step = milliseconds(10);
    const Duration whole = (late * Config::margins + step - Duration{1}) / step * step;
    const bool fine = late <= step;  // the least margin
    return fine ? 4 * step : std::max<Duration>(whole, 4 * step);
}

Duration rounded(Duration span) {
    constexpr Duration unit = std::chrono::microseconds(10);
    return (span + unit / 2) / unit * unit;
}

}  // namespace conclave::agent
