// A run that the search found, as a trace and as decisions that make the simulator run it again.
#pragma once

#include <vector>

#include "conclave/checker/world/event.hpp"
#include "conclave/trace/decision.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::checker {

// The part of the simulator's script that happens at fixed times.
struct Fault {
    What what;  // start, call, crash, recover, blank, suspect, trust or a fault
    Id node, other;
    Time at;
    std::uint32_t which = 0;  // fault
};

struct Story {
    trace::Trace trace;
    trace::DecisionLog decisions;
    std::vector<Fault> faults;
    Time end{};
};

}  // namespace conclave::checker
