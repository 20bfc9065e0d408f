// Elections with a lease around them in the simulator, by name: "leased-tempo", "leased-bully"; and
// "lease", around an election that wishes for whomever a call names.
//
// Agent, guardian and command run beside each other, as a model. Whose work is alive, or who
// believes that it holds the lease, acts: at most one node in all may, at any instant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/simulator/engines.hpp"

namespace conclave::simulator {

// In a translation unit each: they take the longest to compile.
Engine leased_bully();
Engine leased_tempo();
Engine lease_alone();

std::span<const Engine> leased_engines();
bool is_leased(std::string_view algorithm);

// "tempo" -> "leased-tempo"; empty where there is none. And back.
std::string leased_name(std::string_view algorithm);
std::string_view bare_name(std::string_view algorithm);

// "agent-dies" ...: what can befall a machine besides a crash; Mishap::which is the place.
const std::vector<std::string>& mishap_names();
// "quarantine-after-restart" ...: the rules of the lease, bits of Mutation::rules_off.
const std::vector<std::string>& lease_rule_names();

}  // namespace conclave::simulator
