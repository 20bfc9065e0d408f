// All algorithms in the simulator, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/simulator/simulate.hpp"

namespace conclave::simulator {

struct Engine {
    const Card* card;
    Outcome (*simulate)(const Scenario&, const Tape&);
    std::unique_ptr<AnyWorld> (*open_world)(const Scenario&, Decisions&, trace::Trace*);
    std::string (*settings_problem)(const Scenario&);
    std::string settings;  // every setting with its default: "timeout=2ms ..."
    std::vector<std::string_view> messages;
    std::vector<std::string_view> timers;
    bool stores;                    // something that survives a crash
    std::vector<std::string> rows;  // of its transition table, where it has one
    std::string dot;                // the table as Graphviz
};

std::span<const Engine> engines();
const Engine* find_engine(std::string_view name);  // null: there is none of that name

// Of a trace: "bully, 5 nodes, seed 1".
std::string title_of(const Scenario& scenario);

}  // namespace conclave::simulator
