// Puts the few instructions that end a tree before everything else that this machine does:
// real-time priority and pages that are never swapped out, where the machine allows either.
//
// Allowed to root (CAP_SYS_NICE, CAP_IPC_LOCK) and by RLIMIT_RTPRIO and RLIMIT_MEMLOCK. Where it is
// refused the process stays as it was; the margin follows what its timers show.
#pragma once

#include <sched.h>

namespace conclave::guardian {

class Urgency {
public:
    void begin();             // for this process and those cloned from it
    void keep_pages() const;  // for this process alone: what is cloned from it calls it again
    // In the command's process, before it executes: as the agent was. False: it could not.
    bool end() const;

private:
    int policy_ = SCHED_OTHER;
    sched_param former_{};
    bool changed_ = false;
};

}  // namespace conclave::guardian
