// The machine's clocks, as whole nanoseconds.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave::net {

// Counts on while the machine sleeps, never jumps: what every deadline is measured on.
Time boot_time();
// The same without the time that it slept, as poll counts.
Time monotonic_time();
// The same by its oscillator alone, which nobody steers.
Time raw_time();
// Since 1970, as far as this machine knows.
Time unix_time();

}  // namespace conclave::net
