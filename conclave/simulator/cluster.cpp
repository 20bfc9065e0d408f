#include "conclave/simulator/cluster.hpp"

#include <algorithm>

#include "conclave/lease/rules.hpp"
#include "conclave/member/faults.hpp"

namespace conclave::simulator {

namespace {
constexpr std::string_view prefix = "cluster-";
}

bool is_cluster(std::string_view algorithm) {
    return algorithm == "lease" || algorithm.starts_with(prefix);
}

std::string cluster_name(std::string_view algorithm) {
    const std::string name = std::string(prefix) + std::string(algorithm);
    const auto all = cluster_engines();
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const Engine& engine) { return engine.card->name == name; });
    return known ? name : "";
}

std::string_view bare_name(std::string_view algorithm) {
    return algorithm.starts_with(prefix) ? algorithm.substr(prefix.size()) : algorithm;
}

const std::vector<std::string>& mishap_names() {
    static const std::vector<std::string> names = member::fault_words<member::MemberFaults>();
    return names;
}

const std::vector<std::string>& lease_rule_names() {
    static const std::vector<std::string> names = lease::rule_words();
    return names;
}

}  // namespace conclave::simulator
