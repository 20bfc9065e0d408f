// Algorithms that a module only names: their settings and tables without their simulations, which
// would make it several times as large.
#pragma once

#include "conclave/algorithms.hpp"
#include "conclave/simulator/describe.hpp"

namespace conclave::simulator {

template <class A>
std::string described_problem(const Scenario& scenario) {
    std::string problem;
    settings_of<A>(scenario, problem);
    return problem;
}

// The page leaves these out, in all of its modules: see cmake/wasm/libraries.cmake.
using LeftOut = Types<AfekGafni, Echo, GarciaMolina, Peterson, Raft, Stoller, TimeSlice, YoYo>;

inline std::vector<Engine> described_engines() {
    std::vector<Engine> list;
    AllAlgorithms::for_each([&]<class A>() {
        if (LeftOut::contains<A>) return;
        list.push_back(describe_engine<A>());
        list.back().settings_problem = &described_problem<A>;
    });
    return list;
}

}  // namespace conclave::simulator
