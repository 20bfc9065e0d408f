// A date as an operator types it for the whole network.
#pragma once

#include <string>

#include "conclave/core/time.hpp"

namespace conclave::cli {

// "+3s" and "-1h" are differences; else a date of RFC 3339.
struct WantedDate {
    bool relative = false;
    Duration value{};  // the difference, or the time since 1970
};
// Throws a Refusal.
WantedDate read_wanted_date(const std::string& text);

}  // namespace conclave::cli
