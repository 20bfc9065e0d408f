// The experiments on bully and multicast, one function a row of the ledger.
#pragma once

#include "conclave/claims/claim.hpp"
#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::claims {

// N processes of which the highest is dead; `caller` notices it.
simulator::Scenario dead_leader(std::uint32_t nodes, std::uint32_t caller);

Result hand_over(const Effort& effort);           // B5
Result break_assumptions(const Effort& effort);   // B6
Result elect_by_attribute(const Effort& effort);  // B7
Result unbounded_delay(const Effort& effort);     // B8
Result shorten_patience(const Effort& effort);    // B9
Result compare_multicast(const Effort& effort);   // M1
Result wait_for_the_dead(const Effort& effort);   // M2

}  // namespace conclave::claims
