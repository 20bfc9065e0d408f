// A verdict of the checker for programs.
#pragma once

#include <string>

#include "conclave/checker/verdict.hpp"

namespace conclave::browser {

std::string verdict_json(const checker::Verdict& verdict);

}  // namespace conclave::browser
