// Ends adopted children where no namespace does it.
//
// A process that is a subreaper adopts the orphans of its descendants. Killing its children hence
// brings up their children, until none is left. Children are found in /proc, which both functions
// reach by proc_folder(): open it first.
#pragma once

#include <sys/types.h>

namespace conclave::process {

// Which children are spared; nullptr spares none.
using Spared = bool (*)(pid_t child);

bool adopt_orphans();

// Kills and reaps every child that is not spared, once. True: it is known that there was none.
bool sweep_once(Spared spared = nullptr);

// All children, until the kernel says that none is left, however long that takes: a child in
// uninterruptible sleep still belongs to the tree. For a single thread.
void sweep_all();

}  // namespace conclave::process
