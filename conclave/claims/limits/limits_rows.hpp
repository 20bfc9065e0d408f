// The experiment on what election cannot do that needs a search.
#pragma once

#include "conclave/claims/claim.hpp"

namespace conclave::claims {

Result find_schedules(const Effort& effort);  // X2

}  // namespace conclave::claims
