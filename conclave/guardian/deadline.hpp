// The end of the lease, watched twice: by a descriptor for the guardian's own loop, and by a timer
// in the kernel that sends SIGKILL to the guardian itself.
//
// SIGKILL reaches a process that is stopped, swapped out or in a loop. The guardian's death takes
// the command's tree with it, so the command ends in time whatever happens to the guardian.
#pragma once

#include <cstdint>

namespace conclave::guardian {

std::int64_t boot_time_ns();

class Deadline {
public:
    Deadline();  // not armed
    bool works() const { return descriptor_ >= 0 && made_; }
    int descriptor() const { return descriptor_; }

    // Wakes the loop at that time; 0: never.
    void wake_at(std::int64_t when_ns) const;
    // Kills this process at that time, unless it is set anew; 0: never.
    bool kill_at(std::int64_t when_ns) const;

private:
    int descriptor_;
    bool made_ = false;
    void* timer_ = nullptr;
};

}  // namespace conclave::guardian
