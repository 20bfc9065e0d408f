// Why the present leader leads, and who led before, in words.
#pragma once

#include <string>

#include "conclave/agent/status.hpp"

namespace conclave::agent {

// Without the last line's end.
std::string to_reasons(const Status& status);

}  // namespace conclave::agent
