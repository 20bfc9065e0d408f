// A verdict of the checker for programs.
#pragma once

#include <string>

#include "conclave/checker/check.hpp"

namespace conclave::browser {

std::string verdict_json(const checker::Verdict& verdict);

}  // namespace conclave::browser
