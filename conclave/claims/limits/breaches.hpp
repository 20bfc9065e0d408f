// The fate of an algorithm's promises when the world is worse than it assumes.
//
// Each breach is one way of being worse, and comes during the election. It is tried with many
// seeds; a promise is broken if it fails in any of those runs, and only what an algorithm's card
// promises is asked for.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::claims {

struct Breach {
    std::string_view name;  // "loss"
    std::string_view what;  // "one message in ten is lost"
    void (*commit)(simulator::Scenario&, Duration election, std::uint64_t seed);
};

// The first is none at all: with it nothing may break.
std::span<const Breach> breaches();

// Time enough for an election, and for the restless to notice what went wrong and begin again.
Time patient_end(const simulator::Engine& engine);

// A letter for each promise that broke in any of the runs; empty: none did.
//   T two lead at once   S two are followed in the end   W a worse one is elected
//   N somebody follows nobody, or the dead   O something of its own (a decision, an invariant)
std::string broken_by(const simulator::Engine& engine, const Breach& breach, std::uint64_t runs);

}  // namespace conclave::claims
