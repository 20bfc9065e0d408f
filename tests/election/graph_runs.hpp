// Runs of the algorithms of a graph: shapes, sizes, callers and delays from the seed.
#pragma once

#include "tests/election/ring_runs.hpp"

namespace conclave {

inline Scenario random_graph(std::uint64_t seed) {
    using Shape = GraphPlan::Shape;
    Scenario scenario = random_ring(seed);
    const auto shape = static_cast<Shape>(mix(seed, 400) % 8);
    scenario.graph = GraphPlan{.shape = shape, .degree = 1 + std::uint32_t(mix(seed, 401) % 6)};
    if (shape == Shape::hypercube) scenario.graph->shape = Shape::complete;  // of any size
    return scenario;
}

inline void expect_good_graph_runs(std::string_view algorithm) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        expect_good(run(algorithm, random_graph(seed)));
        if (testing::Test::HasFailure()) return;
    }
}

inline Scenario shaped(GraphPlan::Shape shape, std::uint32_t nodes, Who who, std::uint64_t seed) {
    Scenario scenario = ring_of(nodes, who);
    scenario.graph = GraphPlan{.shape = shape};
    scenario.seed = seed;
    return scenario;
}
inline std::uint64_t links_of(const Scenario& scenario) {
    return make_graph(*scenario.graph, scenario.nodes, scenario.seed).links();
}

inline constexpr GraphPlan::Shape many_shapes[] = {
    GraphPlan::Shape::ring,  GraphPlan::Shape::line,      GraphPlan::Shape::star,
    GraphPlan::Shape::torus, GraphPlan::Shape::hypercube, GraphPlan::Shape::random};

}  // namespace conclave
