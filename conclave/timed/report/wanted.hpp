// How good a clock must be to be called good: the one standard of check, READY=1, /synchronised,
// wait and the metric.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave::timed {

struct Wanted {
    Duration within = std::chrono::milliseconds(1);  // the error bound may be no larger
    std::uint32_t members = 2;  // so many clocks, this one included, must be behind the time
};

}  // namespace conclave::timed
