// Algorithms that a module of the checker explores: all others it only names, as listed.hpp says.
// Included once by each of them, because it defines what others ask for.
#pragma once

#include "conclave/checker/checker_engines.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "web/module/listed.hpp"

namespace conclave::simulator {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = list_engines<Runs::none>();
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

template <simulator::Runs module>
std::vector<Engine> search_engines() {
    std::vector<Engine> list;
    AllAlgorithms::for_each([&]<class A>() {
        if constexpr (simulator::runs_in<A>(module))
            list.push_back({&A::card, &explore<A>, &query_problem<A>, &draw_states<A>});
    });
    return list;
}

}  // namespace conclave::checker
