// The experiments on the invitation algorithm, one function a row of the ledger.
#pragma once

#include <string>

#include "conclave/claims/claim.hpp"
#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::claims {

// Nobody is called: every process begins alone and searches.
simulator::Scenario groups_of_one(std::uint32_t nodes, Time until, const std::string& priority);
// The same in a storm of crashes, recoveries and partitions, half the time with loss; calm at last.
simulator::Scenario stormy_groups(std::uint64_t seed);

Result name_groups(const Effort& effort);    // I1
Result merge_groups(const Effort& effort);   // I2
Result merge_at_once(const Effort& effort);  // I3
Result halt_work(const Effort& effort);      // I4
Result share_work(const Effort& effort);     // I5
Result compare_ways(const Effort& effort);   // I6

}  // namespace conclave::claims
