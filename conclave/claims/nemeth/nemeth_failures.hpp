// N6 to N11: what Németh's exchange does when nodes fail and messages are lost.
#pragma once

#include "conclave/claims/claim.hpp"

namespace conclave::claims::exchange {

Result bound_elections(const Effort& effort);    // N6
Result order_events(const Effort& effort);       // N7
Result commit_everywhere(const Effort& effort);  // N8
Result notice_silence(const Effort& effort);     // N9
Result lose_messages(const Effort& effort);      // N10
Result read_proof(const Effort& effort);         // N11

}  // namespace conclave::claims::exchange
