// How a node stands, as Prometheus reads it.
#pragma once

#include <string>

#include "conclave/agent/bound.hpp"
#include "conclave/agent/status.hpp"

namespace conclave::agent {

std::string to_metrics(const Status& status, const Bound& bound);

}  // namespace conclave::agent
