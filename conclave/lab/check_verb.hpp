// Results of conclave check, for people.
#pragma once

#include <string>

#include "conclave/checker/verdict.hpp"

namespace conclave::cli {

std::string verdict_text(const checker::Verdict& verdict);

}  // namespace conclave::cli
