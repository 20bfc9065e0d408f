#include "conclave/leader_election.hpp"

#include <algorithm>

#include "conclave/net/clock.hpp"

namespace conclave {

Duration Leadership::remaining() const {
    return leads ? std::max(Duration{0}, deadline - net::boot_time()) : Duration{0};
}

}  // namespace conclave
