// A trace as a space-time diagram in plain text: time runs down, every node has a lifeline.
//
// Where the nodes do not fit side by side, the same events come as a list, one line each. Either
// takes time and memory in proportion to the trace.
#pragma once

#include <cstddef>
#include <string>

#include "conclave/trace/record.hpp"

namespace conclave::trace {

struct DiagramOptions {
    std::size_t width = 80;    // columns; at least 40
    bool colour = false;       // for a terminal; the caller knows whether there is one
    bool unicode = true;       // false: the same picture in ASCII
    Time first = Time::min();  // what happens before or after is counted, not drawn
    Time last = never;
    std::size_t max_rows = 0;  // 0: all; otherwise the beginning and the end are kept
};

std::string diagram(const Trace& trace, const DiagramOptions& options = {});

}  // namespace conclave::trace
