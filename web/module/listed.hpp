// All algorithms, as a module lists them: it has the simulations of some, or of none, because those
// of all would take what a visitor transfers beyond its budget (tests/web/files.test.mjs). Of the
// others it knows names, settings and tables; the page asks the module that runs them.
#pragma once

#include "conclave/algorithms.hpp"
#include "conclave/simulator/describe.hpp"

namespace conclave::simulator {

// Beside those of the documents, for comparison.
using Others = Types<AfekGafni, Echo, GarciaMolina, Peterson, Raft, Stoller, TimeSlice, YoYo>;

enum class Runs : std::uint8_t { none, documents, others };

template <class A>
constexpr bool runs_in(Runs module) {
    return module == (Others::contains<A> ? Runs::others : Runs::documents);
}

template <class A>
std::string described_problem(const Scenario& scenario) {
    std::string problem;
    settings_of<A>(scenario, problem);
    return problem;
}

template <Runs module>
std::vector<Engine> list_engines() {
    std::vector<Engine> list;
    AllAlgorithms::for_each([&]<class A>() {
        Engine engine = describe_engine<A>();
        engine.settings_problem = &described_problem<A>;
        if constexpr (runs_in<A>(module)) {
            engine.simulate = &simulate<A>;
            engine.open_world = &open_world<A>;
        }
        list.push_back(std::move(engine));
    });
    return list;
}

}  // namespace conclave::simulator
