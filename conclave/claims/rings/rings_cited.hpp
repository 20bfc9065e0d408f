// The experiments behind the rows R6 and R7.
#pragma once

#include "conclave/claims/claim.hpp"

namespace conclave::claims::rings {

Result compare_cited(const Effort& effort);  // R6
Result pass_all(const Effort& effort);       // R7

}  // namespace conclave::claims::rings
