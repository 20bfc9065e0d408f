// The laboratory is a program of its own: whoever runs a group need not install it.
#pragma once

#include <span>
#include <string>

#include "conclave/cli/laboratory_verb.hpp"

namespace conclave::cli {

// Becomes conclave-lab, which lies beside this program or on the PATH, with what was given. Throws
// a Refusal if it is not there.
[[noreturn]] void become_laboratory(const LaboratoryVerb& verb, std::span<const std::string> given);

}  // namespace conclave::cli
