// The shortest runs we know in which Németh's exchange has two coordinators, or reaches a cell of
// its table that "may not occur": one case for each assumption that such a run breaks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conclave/claims/claim.hpp"
#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::claims::exchange {

struct Case {
    std::string_view claim;  // "N2"
    std::string_view name;   // "staggered-start"
    std::string_view story;  // what happens, in a sentence or two
    simulator::Scenario scenario;
    bool two;                             // coordinators at once
    std::vector<std::string_view> cells;  // that are reached, though they may not occur
    // Settings under which the same fault does no harm; none: nothing helps.
    std::vector<std::pair<std::string, std::string>> remedy;
};

std::vector<Case> cases();
Case find_case(std::string_view name);
Exhibit exhibit_of(const Case& told);

}  // namespace conclave::claims::exchange
