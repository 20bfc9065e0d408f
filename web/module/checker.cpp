// checker.wasm: every behaviour of a small system, loaded when somebody asks.
#include "conclave/checker/checker_engines.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "web/module/described.hpp"
#include "web/module/exports.hpp"

CONCLAVE_MODULE(conclave::browser::answer_check)

namespace conclave::simulator {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = described_engines();
    return all;
}
std::span<const Engine> cluster_engines() { return {}; }

}  // namespace conclave::simulator

namespace conclave::checker {

// Without the lease, which the page does not ask about.
const Engine* find_engine(std::string_view name) {
    for (const Engine& engine : engines())
        if (engine.card->name == name) return &engine;
    return nullptr;
}

}  // namespace conclave::checker
