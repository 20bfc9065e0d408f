// The clock that a daemon keeps right, and the raw one behind it.
//
// All measuring is done on the raw clock, which nobody corrects, so that a window of samples stays
// one straight line. The kernel's stamps are by CLOCK_REALTIME; every timepiece knows what its raw
// clock showed then.
#pragma once

#include <memory>

#include "conclave/clock/keeper.hpp"
#include "conclave/timed/config.hpp"

namespace conclave::timed {

class Timepiece {
public:
    virtual ~Timepiece() = default;

    virtual Time raw_now() const = 0;
    // What the raw clock showed when CLOCK_REALTIME was stamped, a moment ago.
    virtual Time raw_at(Time stamp) const = 0;
    // Makes the clock show what the keeper says. False: the system refused.
    virtual bool obey(const clock::Keeper& keeper) = 0;
    // How far the clock is ahead: a virtual one of CLOCK_REALTIME, which tests compare; this
    // machine's of the network, as far as is known.
    virtual Duration offset(const clock::Keeper& keeper) const = 0;
    // What people see minus what the keeper says that they see.
    virtual Duration beside(const clock::Keeper& keeper) const = 0;
};

// What the kernel is told about its clock, for those who ask it.
struct KernelErrors {
    long maximum_us = 0, estimated_us = 0;
    bool unsynchronised = false;
};
KernelErrors kernel_errors(const clock::ErrorBound& bound, clock::Trust trust);

std::unique_ptr<Timepiece> make_timepiece(const Config& config);

}  // namespace conclave::timed
