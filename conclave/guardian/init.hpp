// The first process of the command's tree: starts the command, reaps whatever dies, and ends with
// the command, with its guardian, when told to, or at the deadline, by its own timer.
#pragma once

#include "conclave/guardian/contain.hpp"

namespace conclave::guardian {

// Called first of all: from here on the guardian's death reaches this process.
void die_with_parent(Contain contain);

[[noreturn]] void run_init(Contain contain, int socket, const Inherited& inherited);

}  // namespace conclave::guardian
