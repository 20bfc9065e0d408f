// Whole clusters in the simulator, by name: "cluster-tempo", "cluster-bully" ...; and "lease", a
// lease around an election that wishes for whomever a call names; and "cell", the lease over a
// shared cell, which is node 1.
//
// The member that agents run stands beside a model of guardian, command and disk. Whose work is
// alive, or who believes that it holds the lease, acts: at most one node in all may, at any
// instant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::simulator {

Engine lease_alone();
Engine cell_alone();

std::span<const Engine> cluster_engines();
bool is_cluster(std::string_view algorithm);
// A shared cell, whose machine may crash, but keeps what it has stored.
bool is_cell(std::string_view algorithm);

// "tempo" -> "cluster-tempo"; empty where agents cannot run it. And back.
std::string cluster_name(std::string_view algorithm);
std::string_view bare_name(std::string_view algorithm);

// "agent-dies" ...: the faults of a machine besides a crash; Mishap::which is the place.
const std::vector<std::string>& mishap_names();
// "quarantine-after-restart" ...: the rules of the lease and of the cell, bits of
// Mutation::rules_off.
const std::vector<std::string>& lease_rule_names(std::string_view algorithm);

}  // namespace conclave::simulator
