// A plot as SVG that a person would put on a slide.
#pragma once

#include <string>

#include "conclave/claims/claim.hpp"

namespace conclave::claims {

std::string to_svg(const Plot& plot);

}  // namespace conclave::claims
