// The clock that a daemon keeps right, and the raw one behind it.
//
// All measuring is done on the raw clock, which nobody corrects, so that a window of samples stays
// one straight line. The kernel's stamps are by CLOCK_REALTIME; every timepiece knows what its raw
// clock showed then.
#pragma once

#include <memory>

#include "conclave/clock/keeper.hpp"
#include "conclave/clock/steering.hpp"
#include "conclave/timed/daemon_config.hpp"

namespace conclave::timed {

// Status that the kernel is told about its clock, for those who ask it.
struct KernelErrors {
    long maximum_us = 0, estimated_us = 0;
    bool unsynchronised = false;
};

class Timepiece {
public:
    virtual ~Timepiece() = default;

    virtual Time raw_now() const = 0;
    // The raw clock's reading when CLOCK_REALTIME was stamped, a moment ago.
    virtual Time raw_at(Time stamp) const = 0;
    // The clock that people see, at one moment.
    struct Sight {
        Time raw{};
        Duration shown{};   // it minus the raw one
        Duration within{};  // two clocks cannot be read at once: give or take this
    };
    virtual Sight look() const = 0;
    // Carries out an order that was made by this sight. False: the system refused.
    virtual bool obey(const Sight& sight, const clock::Order& order,
                      const KernelErrors& errors) = 0;
    virtual bool takes_orders() const { return true; }
    // How far the clock is ahead: a virtual one of CLOCK_REALTIME, which tests compare; this
    // machine's of the network, as far as is known.
    virtual Duration offset(const clock::Keeper& keeper) const = 0;
};

KernelErrors kernel_errors(const clock::ErrorBound& bound, clock::Trust trust);

// How the kernel is asked for a rate. Its frequency goes to 500 ppm; beyond, its tick is changed in
// steps of 100 ppm, and the frequency does the rest.
struct KernelRate {
    long frequency = 0;  // in ppm, times 2^16
    long tick = 0;       // microseconds more for each of a hundred ticks a second
};
KernelRate kernel_rate(clock::Rate rate);
clock::Rate rate_of(const KernelRate& asked);

std::unique_ptr<Timepiece> make_timepiece(const DaemonConfig& config);

}  // namespace conclave::timed
