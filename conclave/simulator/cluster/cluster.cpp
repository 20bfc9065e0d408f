#include "conclave/simulator/cluster/cluster.hpp"

#include <algorithm>

#include "conclave/lease/cell.hpp"
#include "conclave/member/faults.hpp"

namespace conclave::simulator {

namespace {
constexpr std::string_view prefix = "cluster-";
}

bool is_cluster(std::string_view algorithm) {
    return algorithm == "lease" || is_cell(algorithm) || algorithm.starts_with(prefix);
}

bool is_cell(std::string_view algorithm) { return algorithm == "cell"; }

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
    static const std::vector<std::string> names = member::fault_words<member::ChangingFaults>();
    return names;
}

const std::vector<std::string>& lease_rule_names(std::string_view algorithm) {
    static const std::vector<std::string> of_lease = lease::roster_rule_words();
    static const std::vector<std::string> of_cell = lease::cell_rule_words();
    return is_cell(algorithm) ? of_cell : of_lease;
}

}  // namespace conclave::simulator
