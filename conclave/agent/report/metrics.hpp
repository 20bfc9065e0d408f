// How a node stands, as Prometheus reads it.
#pragma once

#include <string>

#include "conclave/agent/report/overview.hpp"

namespace conclave::agent {

std::string to_metrics(const Overview& overview);

}  // namespace conclave::agent
