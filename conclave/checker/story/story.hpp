// Tells a run that the search found, as a trace and as decisions for the simulator.
#pragma once

#include <string>
#include <vector>

#include "conclave/checker/story/telling.hpp"
#include "conclave/checker/world/model.hpp"

namespace conclave::checker {

// Worlds from the first to the last, and the steps between them. `wrong`: the violation at its end.
Story tell_story(Model& model, const std::vector<std::vector<std::uint32_t>>& worlds,
                 const std::vector<Step>& steps, const std::string& wrong);

}  // namespace conclave::checker
