// How wrong a node's clock may be, and why: the one value from which everybody is told.
//
// Status, check, metrics, the kernel's maxerror and what programs ask for all come from here, so
// none of them can be right while another is wrong. Each part is there for an error that the others
// do not see; keeper.hpp says where it comes from.
//
// It holds for clocks whose rate changes by no more than holdover.hpp allows. An oscillator that
// breaks, or a virtual machine that is paused together with all of its clocks, shows only when the
// master is heard next; from then on the bound holds again.
#pragma once

#include <cstdint>
#include <string_view>

#include "conclave/clock/rate.hpp"

namespace conclave::clock {

struct ErrorBound {
    Duration estimate{};  // three standard deviations of what the master measured, and how far the
                          // line that is followed lies from what it said
    Duration slew{};      // what the clock has still to be moved by
    Duration visible{};   // from where it should be to where people see it
    Duration path{};      // half of a round trip: one direction may always be slower than the other
    Duration growth{};    // since others last backed this time

    constexpr Duration total() const { return estimate + slew + visible + path + growth; }
    bool operator==(const ErrorBound&) const = default;
};

enum class Trust : std::uint8_t {
    unknown,   // never told the time; or its clock was set or slept, and nobody measured it since
    holdover,  // coasts on what it was told: no other clock backs it now
    synchronised  // another clock backs this time
};

constexpr std::string_view name_of(Trust trust) {
    constexpr std::string_view names[] = {"unknown", "holdover", "synchronised"};
    return names[static_cast<std::size_t>(trust)];
}

}  // namespace conclave::clock
