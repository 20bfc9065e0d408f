// conclave-engine: an agent's connection to a shared cell, as a process of its own.
//
// It does what the agent asks, tells it of every change of the cell, and outlives it: a death
// notice of the guardian makes it free the cell, so that nobody waits for the lease to end. A
// second thread, with a connection of its own, watches the cell and examines the engine.
#pragma once

#include "conclave/engines/port.hpp"

namespace conclave::engines {

struct Scribe {
    Access access{};
    std::string name{};  // of the node
    int channel = -1;    // to the agent: process/cell_orders.hpp
};

// Until the agent leaves, or is dead and has nothing to leave behind. An exit code.
int serve(const Scribe& scribe);

}  // namespace conclave::engines
