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

// Kills every descendant of `first`, once, but not `first` itself: for a first process that does
// not get round to it. Whoever calls is the one who would reap `first`, so its id stays its own.
void kill_below(pid_t first);

// All children, until the kernel says that none is left, however long that takes: a child in
// uninterruptible sleep still belongs to the tree. For a single thread.
void sweep_all();

}  // namespace conclave::process
