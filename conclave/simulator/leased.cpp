#include "conclave/simulator/leased.hpp"

#include <algorithm>

#include "conclave/lease/misfortunes.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::simulator {

namespace {
constexpr std::string_view prefix = "leased-";
}

std::span<const Engine> leased_engines() {
    static const std::vector<Engine> all{leased_bully(), leased_tempo(), lease_alone()};
    return all;
}

bool is_leased(std::string_view algorithm) {
    return algorithm == "lease" || algorithm.starts_with(prefix);
}

std::string leased_name(std::string_view algorithm) {
    const std::string name = std::string(prefix) + std::string(algorithm);
    const auto all = leased_engines();
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const Engine& engine) { return engine.card->name == name; });
    return known ? name : "";
}

std::string_view bare_name(std::string_view algorithm) {
    return algorithm.starts_with(prefix) ? algorithm.substr(prefix.size()) : algorithm;
}

const std::vector<std::string>& mishap_names() {
    static const std::vector<std::string> names = lease::misfortune_words();
    return names;
}

const std::vector<std::string>& lease_rule_names() {
    static const std::vector<std::string> names = lease::rule_words();
    return names;
}

}  // namespace conclave::simulator
