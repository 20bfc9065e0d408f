// The words for a group that forms: member/formation.hpp decides.
#pragma once

#include <string>

#include "conclave/member/formation.hpp"

namespace conclave::agent {

using Formation = member::Formation<std::string>;

// Why the group cannot form: a sentence; empty: nothing stands in the way. `final`: no waiting
// helps, this node must go.
struct Obstacle {
    std::string sentence{};
    bool final = false;
};
Obstacle obstacle_of(const Formation& formation, const std::string& group);

}  // namespace conclave::agent
