// A process by descriptor: it never comes to mean another process, and is readable when that one
// has ended. By system call, because glibc 2.36 declares its wrappers without C linkage.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace conclave::process {

inline int open_process(pid_t pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); }

inline bool signal_process(int pidfd, int number) {
    return syscall(SYS_pidfd_send_signal, pidfd, number, nullptr, 0) == 0;
}

}  // namespace conclave::process
