// A result of the checker, as the simulator can show it again.
#pragma once

#include "conclave/checker/verdict.hpp"
#include "conclave/simulator/campaign/recording.hpp"

namespace conclave::browser {

// The counterexample as a recording that conclave sim --replay runs again.
simulator::Recording to_recording(const checker::Query& query, const checker::Verdict& verdict);

}  // namespace conclave::browser
