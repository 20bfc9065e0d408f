// A trace in the languages of other tools.
#pragma once

#include <cstddef>
#include <string>

#include "conclave/trace/record.hpp"

namespace conclave::trace {

// Chrome's trace events, for ui.perfetto.dev or chrome://tracing: a thread for each node with its
// states and turns, an arrow for each message, and a second group of threads with who follows whom.
std::string perfetto(const Trace& trace);

// A log with vector clocks for ShiViz. The first line is the expression that reads the log.
std::string shiviz(const Trace& trace);

// A sequence diagram for Markdown. Mermaid refuses long texts, so that only the beginning is drawn.
std::string mermaid(const Trace& trace, std::size_t most_events = 400);

// The text diagram as a picture, for slides and papers.
std::string svg(const Trace& trace);

}  // namespace conclave::trace
