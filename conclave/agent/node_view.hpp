// The parts of a node, for reading: what status, doctor and bound look at.
#pragma once

#include "conclave/agent/disk/state_keeper.hpp"
#include "conclave/agent/group/enrolment.hpp"
#include "conclave/agent/group/publication.hpp"
#include "conclave/agent/pace/lateness.hpp"
#include "conclave/agent/report/bound.hpp"
#include "conclave/agent/report/history.hpp"
#include "conclave/agent/site.hpp"
#include "conclave/agent/work/readiness.hpp"
#include "conclave/agent/work/runner.hpp"

namespace conclave::agent {

struct NodeView {
    const Site& site;
    const StateKeeper& keeper;
    const Enrolment& enrolment;
    const Readiness& readiness;
    const Runner& runner;
    const History& history;
    const Lateness& lateness;
    const Publications& publications;
};

NodeStatus status_of(const NodeView& node);
Bound bound_of(const NodeView& node);

// For a member that lost its state beside another that did.
inline constexpr std::string_view unsure_remark =
    "has no memory, and another member has none either: make sure that the clocks are right, "
    "then say conclave vouch here";

}  // namespace conclave::agent
