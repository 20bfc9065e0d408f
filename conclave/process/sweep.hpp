// Ends adopted children where no namespace does it.
//
// A process that is a subreaper adopts the orphans of its descendants. Killing its children hence
// brings up their children, until none is left.
#pragma once

#include <sys/types.h>

namespace conclave::process {

// Who is spared; nullptr spares nobody.
using Spared = bool (*)(pid_t child);

bool adopt_orphans();

// Kills and reaps every child that is not spared, once. True: there was none.
bool sweep_once(Spared spared = nullptr);

// All children, until none is left or so many milliseconds have passed. For a single thread.
bool sweep_all(int longest_ms);

}  // namespace conclave::process
