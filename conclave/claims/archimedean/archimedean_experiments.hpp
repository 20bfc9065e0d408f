// The experiments behind the rows V1 to V13.
#pragma once

#include "conclave/claims/claim.hpp"

namespace conclave::claims::archimedes {

// Properties of every run, and what a processor learns.
Result lowest_wins(const Effort& effort);     // V1
Result bound_time(const Effort& effort);      // V4
Result learn_size(const Effort& effort);      // V8
Result wake_too_early(const Effort& effort);  // V10
Result measure_queues(const Effort& effort);  // V13

// How many message passes.
Result bound_passes(const Effort& effort);  // V2
Result scale_waits(const Effort& effort);   // V3
Result halve_units(const Effort& effort);   // V6
Result delay_links(const Effort& effort);   // V11
Result walk_times(const Effort& effort);    // V12

// Beside other measures and other algorithms.
Result count_bits(const Effort& effort);     // V5
Result wait_by_pair(const Effort& effort);   // V7
Result compare_rings(const Effort& effort);  // V9

}  // namespace conclave::claims::archimedes
