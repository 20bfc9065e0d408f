// A result of the checker, as the simulator can show it again.
#pragma once

#include "conclave/checker/check.hpp"
#include "conclave/simulator/recording.hpp"

namespace conclave::browser {

// The counterexample as a recording that conclave sim --replay runs again.
simulator::Recording to_recording(const checker::Query& query, const checker::Verdict& verdict);

}  // namespace conclave::browser
