#include "conclave/simulator/engines.hpp"

#include "conclave/algorithms.hpp"
#include "conclave/core/settings.hpp"
#include "conclave/core/table.hpp"
#include "conclave/simulator/cluster.hpp"
#include "conclave/simulator/layout.hpp"

namespace conclave::simulator {

namespace {

template <class A>
Engine engine_of() {
    using Messages = typename A::Turn::Messages;
    using Timers = typename A::Turn::Timers;
    Engine engine{&A::card,
                  &simulate<A>,
                  &open_world<A>,
                  &settings_problem<A>,
                  describe_settings(typename A::Turn::Settings{}),
                  {Messages::names.begin(), Messages::names.end()},
                  {Timers::names.begin(), Timers::names.end()},
                  !std::is_same_v<typename A::Turn::Stored, Nothing>,
                  {},
                  {}};
    if constexpr (requires { A::rows(); }) {
        for (const auto& row : A::rows()) engine.rows.push_back(row_name(row));
        engine.dot = to_dot(A::rows());
    }
    return engine;
}

}  // namespace

std::span<const Engine> engines() {
    static const std::vector<Engine> all = [] {
        std::vector<Engine> list;
        AllAlgorithms::for_each([&]<class A>() { list.push_back(engine_of<A>()); });
        return list;
    }();
    return all;
}

const Engine* find_engine(std::string_view name) {
    for (const Engine& engine : engines())
        if (engine.card->name == name) return &engine;
    for (const Engine& engine : cluster_engines())
        if (engine.card->name == name) return &engine;
    return nullptr;
}

Layout lay_out(const Scenario& scenario, const Decisions& decisions) {
    const Engine* engine = find_engine(scenario.algorithm);
    return lay_out(scenario, decisions, engine == nullptr ? Promises{} : engine->card->promises);
}

}  // namespace conclave::simulator
