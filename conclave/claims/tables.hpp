// All algorithms side by side, as Markdown: what an election costs, and what breaks it.
#pragma once

#include <string>

namespace conclave::claims {

// The same text each time, whatever the machine: docs/algorithms/README.md holds it.
std::string algorithm_tables();

}  // namespace conclave::claims
