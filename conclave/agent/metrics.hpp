// How a node stands, as Prometheus reads it.
#pragma once

#include <string>

#include "conclave/agent/overview.hpp"

namespace conclave::agent {

std::string to_metrics(const Overview& overview);

}  // namespace conclave::agent
