// Vitányi's ring in the simulator: clocks, adversaries, and the paper's bounds on a given run.
#pragma once

#include "conclave/claims/rings/ring_runs.hpp"
#include "conclave/election/archimedean.hpp"

namespace conclave::claims::archimedes {

using namespace rings;
using Pairs = std::vector<std::pair<std::string, std::string>>;

inline constexpr Duration unit = std::chrono::milliseconds(1);  // of the fastest clock

// Every clock's unit lasts `unit` and messages take a nanosecond: in step, and u is as good as m.
Scenario in_step(std::uint32_t nodes, Who who, How how, std::uint64_t seed, const Pairs& settings);
// Units of 1 to `slowest` times `unit`, drawn from the seed; delays of at most `unit`, if any.
Scenario out_of_step(std::uint32_t nodes, std::uint32_t slowest, bool delays, std::uint64_t seed,
                     const Pairs& settings);
// Names ascending clockwise, unit lengths 2^(N-i+1): section 3, "The worst-case performance".
Scenario halving_ring(std::uint32_t nodes);
// Units that shorten clockwise from `ratio` to 1, and the low names placed so that each message
// just escapes all lower ones until it has gone round to processor 1.
Scenario escaping_ring(std::uint32_t nodes, double ratio, const Pairs& settings);

Archimedean::Settings settings_of(const Scenario& scenario);
double longest_span(const Scenario& scenario);  // u, in units: the slowest unit and the delay
double ratio_of(const Scenario& scenario);      // u/m
std::uint64_t wait_of(std::uint32_t name, const Scenario& scenario);

// Eq. (2): 2N + N u/m (f(l)+1) sum of 1/f(i).
double passes_bound(const Scenario& scenario);
// N u (f(l) + extra), in units.
double time_bound(const Scenario& scenario, double extra);
double units(Duration time);

// The state that the run leaves behind.
struct Traits {
    Outcome outcome;
    std::uint32_t learned = 0;        // N, as the winner has it
    std::uint32_t longest_queue = 0;  // of any processor
};
Traits study(const Scenario& scenario);

}  // namespace conclave::claims::archimedes
