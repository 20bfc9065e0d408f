// The experiments behind the claims T1 to T20, by what they are about.
#pragma once

#include "conclave/claims/claim.hpp"

namespace conclave::claims::tempo {

// tempo_starts.cpp: states, coming up, the message
Result show_states(const Effort& effort);    // T1
Result show_starts(const Effort& effort);    // T2
Result show_equality(const Effort& effort);  // T15
Result show_newcomer(const Effort& effort);  // T18
Result show_layout(const Effort& effort);    // T20

// tempo_elections.cpp: one candidate, several candidates
Result count_one_candidate(const Effort& effort);   // T3
Result count_two_candidates(const Effort& effort);  // T4
Result show_missed_election(const Effort& effort);  // T6
Result show_any_order(const Effort& effort);        // T10
Result show_list(const Effort& effort);             // T19

// tempo_timers.cpp: how often candidates collide, and what timers must be like
Result measure_collisions(const Effort& effort);   // T5
Result measure_repetitions(const Effort& effort);  // T16
Result show_needless(const Effort& effort);        // T17

// tempo_masters.cpp: two masters
Result show_partition(const Effort& effort);      // T7
Result show_overlooked(const Effort& effort);     // T8
Result search_two_masters(const Effort& effort);  // T9

// tempo_clocks.cpp: what becomes of the clocks
Result show_mean(const Effort& effort);         // T11
Result show_differences(const Effort& effort);  // T12
Result show_set_first(const Effort& effort);    // T13
Result show_outage(const Effort& effort);       // T14

}  // namespace conclave::claims::tempo
