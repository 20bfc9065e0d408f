// The time daemon's page for programs: how to get from this machine's clocks to an interval.
//
// A program reads two clocks and computes; it need not ask anybody. CLOCK_MONOTONIC_RAW says how
// old the content is, so the interval grows by itself when the daemon is gone. CLOCK_REALTIME must
// have run along with it as expected: if not, this machine slept or somebody set its clock, and
// nothing is known until the daemon has looked at it.
#pragma once

#include <array>

#include "conclave/clock/line.hpp"
#include "conclave/page/interval.hpp"

namespace conclave::page {

// Both at one moment, or as nearly so as two calls can be.
struct Clocks {
    Time raw{};   // CLOCK_MONOTONIC_RAW
    Time real{};  // CLOCK_REALTIME

    bool operator==(const Clocks&) const = default;
};

enum class Source : std::uint8_t { raw, real };

struct Content {
    Clocks at{};              // when this was written
    clock::Rate real_rate{};  // of CLOCK_REALTIME against CLOCK_MONOTONIC_RAW, as it is steered ...
    clock::Rate slack{};      // ... and by how much that may be wrong
    Source source = Source::raw;
    Duration offset{};     // the network's time minus the source then ...
    clock::Rate rate{};    // ... and how fast that grows
    Duration error{};      // at most so wrong that was then ...
    clock::Rate growth{};  // ... and so fast that grows
    TimeStatus status = TimeStatus::unknown;

    bool operator==(const Content&) const = default;
};

// Without a new content it is holdover after `fresh`, and unknown after `valid`.
inline constexpr Duration fresh = std::chrono::seconds(5), valid = std::chrono::seconds(60);

TimeInterval interval_at(const Content& content, const Clocks& now);
// CLOCK_REALTIME did not run along: the machine slept, or its clock was set.
bool disturbed(const Content& content, const Clocks& now);

// As it stands in shared memory. A content that makes no sense is not read.
inline constexpr std::size_t word_count = 10;
using Words = std::array<std::uint64_t, word_count>;
Words encode(const Content& content);
std::optional<Content> decode(const Words& from);

}  // namespace conclave::page
