// The text of --version: version, commit where the build knows it, and what the program can do.
#pragma once

#include <string>

#include "conclave/cli/program.hpp"

namespace conclave::cli {

std::string version_text(const Program& program);

}  // namespace conclave::cli
