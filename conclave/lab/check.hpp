// What conclave check found, for people, programs and the simulator.
#pragma once

#include <string>

#include "conclave/checker/check.hpp"
#include "conclave/simulator/recording.hpp"

namespace conclave::cli {

std::string verdict_json(const checker::Verdict& verdict);
std::string verdict_text(const checker::Verdict& verdict);

// The counterexample as a recording that conclave sim --replay runs again.
simulator::Recording to_recording(const checker::Query& query, const checker::Verdict& verdict);

}  // namespace conclave::cli
