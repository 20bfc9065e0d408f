#include "conclave/simulator/simulation_engines.hpp"

#include "conclave/core/count.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/world/layout.hpp"

namespace conclave::simulator {

const Engine* find_engine(std::string_view name) {
    for (const Engine& engine : engines())
        if (engine.card->name == name) return &engine;
    for (const Engine& engine : cluster_engines())
        if (engine.card->name == name) return &engine;
    return nullptr;
}

std::string title_of(const Scenario& scenario) {
    return scenario.algorithm + ", " + count_of(scenario.nodes, "node") + ", seed " +
           std::to_string(scenario.seed);
}

Layout lay_out(const Scenario& scenario, const Decisions& decisions) {
    const Engine* engine = find_engine(scenario.algorithm);
    return lay_out(scenario, decisions, engine == nullptr ? Card{} : *engine->card);
}

}  // namespace conclave::simulator
