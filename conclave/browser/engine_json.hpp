// An algorithm's card and names for programs, and two of its texts as people read them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conclave/options/row.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::browser {

std::string engine_json(const simulator::Engine& engine);
// A word of a scenario: its name, form, example and purpose.
std::string row_json(const options::Row& row);

std::string spaced(std::string_view name);  // two_way_ring -> two way ring

// "timeout=2ms patience=5ms" -> pairs
std::vector<std::pair<std::string_view, std::string_view>> settings_of(
    const simulator::Engine& engine);

}  // namespace conclave::browser
