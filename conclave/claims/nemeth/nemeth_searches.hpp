// Németh's conditions settled by searching every run: N2 to N5.
#pragma once

#include "conclave/claims/claim.hpp"

namespace conclave::claims::exchange {

// Rows of the table that fire in no run of three nodes in step, one of which fails and returns:
// bits.
std::uint64_t rows_never_fired(const Effort& effort);

Result settle_constraint_a(const Effort& effort);
Result settle_candidate_timer(const Effort& effort);
Result settle_election_timer(const Effort& effort);
Result settle_clocks(const Effort& effort);

}  // namespace conclave::claims::exchange
