// All that a node knows of its group, as one value: the live page, /events, /doctor and /metrics
// show parts of it, so that they cannot contradict each other.
#pragma once

#include <string>
#include <vector>

#include "conclave/agent/group/statements.hpp"
#include "conclave/agent/report/failovers.hpp"
#include "conclave/agent/report/node_status.hpp"

namespace conclave::agent {

struct Overview {
    NodeStatus status{};
    Bound bound{};
    std::vector<FailoverStatus> failovers{};   // measured here, against the bound
    std::vector<Statement> views{};            // what each member says, this node's own included
    std::vector<std::string> disagreements{};  // between these views, a sentence each
    std::vector<std::string> findings{};       // of doctor, a sentence each; none: all is well
    Duration asked_ago_ns{-1};                 // the others were asked then; -1: never
    Instant now{};                             // by the clock that dates the terms
};

// /events: the fields of the status, and beside them those of the rest.
std::string events_json(const Overview& overview);
// /doctor.
std::string doctor_json(const Overview& overview);

}  // namespace conclave::agent
