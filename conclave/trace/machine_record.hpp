// One machine of a cluster as it stood after a turn: agent, guardian, command, and what its lease
// says. Records are text; whoever draws promises as bars in time needs numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"

namespace conclave::trace {

struct MachineState {
    enum class Agent : std::uint8_t { up, paused, dead, down };  // down: the machine itself
    enum class Guardian : std::uint8_t { none, watching, paused };
    enum class Work : std::uint8_t { none, running, stopping };

    Id node = nobody;
    Agent agent = Agent::down;
    Guardian guardian = Guardian::none;
    Work work = Work::none;
    bool amnesiac = false;        // its disk was lost: it promises nothing
    std::uint64_t token = 0;      // of the work; 0: there is none
    std::uint64_t candidate = 0;  // of the ballot with which it stands; 0: it does not
    // Ends in real time, as its own clock will have it; 0: over, or there never was one.
    Time lease_ends{};         // of the lease that it holds
    Id promised = nobody;      // to whom it has promised
    std::uint64_t ballot = 0;  // under which token
    Time promise_ends{};
    Time grace_ends{};  // after a restart it promises nothing new before

    bool operator==(const MachineState&) const = default;
};

// Since the trace had so many records, until the same machine has another state.
struct MachineChange {
    std::size_t records = 0;
    Time time{};
    MachineState state;
};

}  // namespace conclave::trace
