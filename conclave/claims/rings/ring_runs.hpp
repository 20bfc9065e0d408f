// Rings in the simulator, and a count of how often a statement held.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "conclave/claims/measuring.hpp"

namespace conclave::claims::rings {

using simulator::Outcome;
using simulator::Scenario;
using Who = simulator::Initiators::Who;
using How = simulator::Order::How;

// Messages take a millisecond each.
Scenario ring(std::string_view algorithm, std::uint32_t nodes, Who who, How how = How::random,
              std::uint64_t seed = 1);
// The initiators are drawn from the seed, at least one; how many of them there are.
std::size_t draw_initiators(Scenario& scenario);
// Up to four nodes die while the election is on; node 1, which calls it, does not.
Scenario dying_ring(std::string_view algorithm, std::uint64_t seed);

std::uint64_t sent(const Outcome& outcome, std::string_view message);
// How many messages of the trace read so: "Election(5)".
std::uint64_t sent(const trace::Trace& trace, std::string_view text);
bool elected(const Outcome& outcome, Id leader);  // all follow it, and no promise was broken

std::uint32_t number(Id id);
std::uint32_t log2_floor(std::uint32_t n);
std::uint32_t log2_ceil(std::uint32_t n);

// Counts the runs in which a statement held, and keeps the first in which it did not.
struct Tally {
    std::uint64_t runs = 0, held = 0;
    std::string first;

    void add(bool holds, const Scenario& scenario, const Outcome& outcome);
    bool all() const { return runs != 0 && held == runs; }
    std::string text() const;  // "1000 of 1000 runs", and the first that is otherwise
};

// Passes when the statement held in all runs.
Result verdict(const Tally& tally, std::string expected, std::string unit, std::string evidence);

}  // namespace conclave::claims::rings
