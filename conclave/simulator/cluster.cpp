#include "conclave/simulator/cluster.hpp"

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

bool is_cell_rule(std::string_view rule) {
    const std::vector<std::string> names = lease::cell_rule_words();
    return std::find(names.begin(), names.end(), rule) != names.end();
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
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list = lease::rule_words();
        for (std::string& each : lease::cell_rule_words()) list.push_back(std::move(each));
        return list;
    }();
    return names;
}

}  // namespace conclave::simulator
