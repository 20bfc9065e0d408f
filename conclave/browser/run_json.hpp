// A whole run for a page that plays it back and forth: outcome, words and every record.
#pragma once

#include <string>

#include "conclave/browser/request.hpp"
#include "conclave/simulator/outcome.hpp"

namespace conclave::browser {

// More records than this are not shown: the page says so, and shows the run before it still.
inline constexpr std::size_t most_records = 400'000;

// Fills the trace; empty, or one sentence where the run is too long to be shown.
std::string do_run(const Run& run, trace::Trace& trace, simulator::Outcome& outcome);

// Records as columns: numbers of time (ns), kind, node, other, flight, count and text, where equal
// texts are kept once; rows of the table only where some fired, as [record, row, ...].
std::string run_json(const Run& run, const trace::Trace& trace, const simulator::Outcome& outcome);

// The paper's numbers for this run; null where it states nothing, or the run is disturbed.
std::string prediction_json(const simulator::Scenario& scenario);

// Likewise, for what is sent after a moment at which the leader is dead; calls come after it.
std::string succession_json(const simulator::Scenario& scenario, Time since);

}  // namespace conclave::browser
