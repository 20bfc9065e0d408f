// What a member is told once by its host.
#pragma once

#include <algorithm>

#include "conclave/lease/lease_settings.hpp"

namespace conclave::member {

template <class LeaseSettings>
struct MemberSettings {
    LeaseSettings lease{};
    Duration answer = std::chrono::milliseconds(20);  // a live member answers within
    Duration close{};  // work that is gone this long before its lease ends was ended for that
    Duration restart = std::chrono::milliseconds(100);  // first pause of backoff.hpp
    std::uint64_t shares = 1u << 20;  // elections are called again at so many different times
    std::int64_t rho_ppm = 1000;      // clock rates are within this of true
    bool observer = false;            // has a place behind all members, neither votes nor stands

    // A member that should be heard regularly and is not, for so long, is suspected.
    Duration patience() const { return lease.promise * 3 / 4; }
    // The best of those that live calls an election at once, each lesser one so much later: an
    // election that one calls is the quickest.
    Duration queue_time(std::uint32_t better) const { return better * 4 * answer; }
    Duration idle_most() const {
        const Duration slow = lease.promise - lease.lease;  // for clocks that are
        return 2 * (lease.promise + slow) + 3 * lease.heartbeat + 10 * answer;
    }
    bool no_quorum() const { return lease.quorum == 1; }
};

}  // namespace conclave::member
