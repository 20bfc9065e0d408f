// How often things are done about clocks, wherever time daemons run: on machines and in simulation.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave::clock::pace {

// A slave that a master has just met is probed so often, so many times.
inline constexpr Duration quick = std::chrono::milliseconds(125);
inline constexpr std::uint32_t quick_probes = 80;
// A master decides how the network's time goes on.
inline constexpr Duration decide = std::chrono::seconds(1);
// Rounds without an answer, until a slave is struck off. With three packets in ten lost, every
// second exchange fails: it would happen once in 50 000 rounds.
inline constexpr int patience = 16;
// For so long a master that resigned keeps out of the election.
inline constexpr Duration rest = std::chrono::seconds(8);

}  // namespace conclave::clock::pace
