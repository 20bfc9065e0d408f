// The properties that can be asked for by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conclave/checker/search/search.hpp"
#include "conclave/core/card.hpp"

namespace conclave::checker {

struct Named {
    std::string_view name, meaning;
};
std::vector<Named> known_properties();

// Those of `names` that hold of single worlds; "eventually", "invariant" and "rows" are asked
// elsewhere.
std::vector<Property> make_properties(const std::vector<std::string>& names, const Group& group);

// The default: what the algorithm's card promises.
std::vector<std::string> promised(const Card& card, bool has_invariant);

}  // namespace conclave::checker
