// An engine as far as its algorithm is only read, not run: names, settings, table.
#pragma once

#include "conclave/core/settings.hpp"
#include "conclave/core/table.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::simulator {

// The settings before anybody sets anything.
template <class A>
struct Usual {
    static typename A::Turn::Settings settings() { return {}; }
};

template <class A>
typename A::Turn::Settings settings_of(const Scenario& scenario, std::string& problem) {
    typename A::Turn::Settings settings = Usual<A>::settings();
    for (const auto& [key, value] : scenario.settings) {
        problem = apply_setting(settings, key, value);
        if (!problem.empty()) break;
    }
    return settings;
}

// It cannot simulate: hosting.hpp adds that.
template <class A>
Engine describe_engine() {
    using Messages = typename A::Turn::Messages;
    using Timers = typename A::Turn::Timers;
    Engine engine{&A::card,
                  nullptr,
                  nullptr,
                  nullptr,
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

}  // namespace conclave::simulator
