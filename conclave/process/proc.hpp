// The proc file system, by a descriptor that is opened once: whoever unmounts /proc later, or
// mounts something over it, changes nothing for this process.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace conclave::process {

// The folder, opened at the first call and kept open, closed on exec; -1 unless it is a proc file
// system that shows this process. Call it before anybody untrusted runs.
int proc_folder();

struct ProcessFacts {
    char state = '?';         // 'Z': it has ended and was not reaped
    pid_t parent = 0;         // 0: none in this PID namespace
    std::uint64_t start = 0;  // in clock ticks since boot; tells it from a later process of its id
};
enum class Found : std::uint8_t {
    yes,
    none,    // there is no such process
    unknown  // it could not be read: no statement about the process
};
Found read_process(pid_t pid, ProcessFacts& facts);

// Whether `pid` is `ancestor` or one of its descendants, as far as the parents are known.
bool descends_from(pid_t pid, pid_t ancestor);

}  // namespace conclave::process
