// A node of a group that shares a cell, with all that surrounds it: control socket, hooks, health
// check, systemd, signals.
#pragma once

#include "conclave/agent/cell/cell_link.hpp"
#include "conclave/agent/node_service.hpp"

namespace conclave::agent {

// Of the options that were given: a sentence about one that makes no sense with --via, or nothing.
std::string via_problem(const ViaGiven& via, const std::vector<options::Given>& given);

// Until the node ends. Throws a ConfigRefusal or a net::Failure.
Served serve_cell(const Config& config, const ViaGiven& via);

}  // namespace conclave::agent
