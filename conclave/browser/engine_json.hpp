// An algorithm's card and names for programs, and two of its texts as people read them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conclave/simulator/engines.hpp"

namespace conclave::browser {

std::string engine_json(const simulator::Engine& engine);

std::string spaced(std::string_view name);  // two_way_ring -> two way ring

// "timeout=2ms patience=5ms" -> pairs
std::vector<std::pair<std::string_view, std::string_view>> settings_of(
    const simulator::Engine& engine);

}  // namespace conclave::browser
