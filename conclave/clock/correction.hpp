// Corrections, from the master to a slave, and reports, from a slave to the master.
//
// A correction is the line from the slave's raw clock to the network's time. It is idempotent: to
// lose, delay or repeat it does no harm. Terms tell old from new: who becomes master starts a new
// one, and a slave does not look back.
#pragma once

#include "conclave/clock/line.hpp"
#include "conclave/core/id.hpp"

namespace conclave::clock {

struct Term {
    std::uint64_t number = 0;
    Id master = nobody;
    auto operator<=>(const Term&) const = default;
};

struct Correction {
    Term term{};
    Line line{};  // the network's time minus the slave's raw clock
    Duration error{};
    Rate rate_error{};
    std::uint32_t clocks = 0;  // behind this time
    Duration path{};           // what a path that is slower in one direction may add to the error
    std::uint8_t epoch = 0;    // of the slave's raw clock, in which it was measured
    // How often an operator, or a majority that joined later, has set this network's time. A slave
    // that hears of another one steps, whatever its step policy.
    std::uint32_t date_changes = 0;
    bool established = false;  // newcomers do not outvote it any more (master.hpp)
    Rate rate_bound{};         // what such a path may add to the error of the rate
};

// In every answer to a probe.
struct Report {
    Term term{};               // of the correction that I follow
    bool set = false;          // I follow one
    bool complains = false;    // I refused the last one ...
    Term about{};              // ... which was of this term
    bool sound = true;         // my clock did nothing wrong in the last minute: count it
    bool established = false;  // the time that I follow is
    std::uint32_t clocks = 0;  // behind the time that I follow
    Duration shown{};          // my clock minus my raw one
    Duration network{};        // the network's time minus my raw clock, as I know it
    Duration bound{};          // how wrong that may be
    Rate rate{};               // my raw clock's rate against the network: its usual one ...
    bool knows_rate = false;   // ... if that is known, else the one that I was told last
    Duration opinion{};      // the clock that I came with minus the network's time, as it was then
    std::uint8_t epoch = 0;  // of my raw clock: another one, and what was measured before is void
};

}  // namespace conclave::clock
