// checker.wasm: every behaviour of a small system, loaded when somebody asks. It has all
// algorithms, because the search is the same for each.
#include "conclave/checker/checker_engines.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "web/module/exports.hpp"
#include "web/module/listed.hpp"

CONCLAVE_MODULE(conclave::browser::answer_check)

namespace conclave::simulator {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = list_engines<Runs::none>();
    return all;
}
std::span<const Engine> cluster_engines() { return {}; }

}  // namespace conclave::simulator

namespace conclave::checker {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = [] {
        std::vector<Engine> list;
        AllAlgorithms::for_each([&]<class A>() {
            list.push_back({&A::card, &explore<A>, &query_problem<A>, &draw_states<A>});
        });
        return list;
    }();
    return all;
}

// Without the lease, which the page does not ask about.
const Engine* find_engine(std::string_view name) {
    for (const Engine& engine : engines())
        if (engine.card->name == name) return &engine;
    return nullptr;
}

}  // namespace conclave::checker
