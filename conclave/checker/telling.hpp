// A run that the search found, as a trace and as decisions that make the simulator run it again.
#pragma once

#include <vector>

#include "conclave/checker/event.hpp"
#include "conclave/trace/decision.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::checker {

// What the simulator's script must do at fixed times.
struct Misfortune {
    What what;  // start, call, crash, recover, blank, suspect, trust or a woe
    Id node, other;
    Time at;
    std::uint32_t which = 0;  // woe
};

struct Story {
    trace::Trace trace;
    trace::DecisionLog decisions;
    std::vector<Misfortune> misfortunes;
    Time end{};
};

}  // namespace conclave::checker
