// A plot as SVG that a person would put on a slide.
#pragma once

#include <string>
#include <string_view>

#include "conclave/claims/claim.hpp"

namespace conclave::claims {

std::string to_svg(const Plot& plot);

// Text as HTML and SVG want it: "a < b" -> "a &lt; b".
std::string escape_markup(std::string_view from);

}  // namespace conclave::claims
