// Networks of clocks from a seed, with faults of every kind: what the error bounds are tried on.
#pragma once

#include <array>
#include <bit>

#include "conclave/simulator/time/time_run.hpp"

namespace conclave::simulator {

// Two to seven nodes with clocks, paths and noise of any kind that a local network may have, some
// of them late, one clock in some networks far off; and up to four faults: nodes that crash, stop,
// sleep or are paused, all that sleep at once, partitions, packets that take another way, clocks
// that are set or break, and an operator who sets the date. Two minutes of time, which take
// milliseconds; a quarter of an hour in one network of sixteen, so that times become established
// and nodes are alone for minutes.
TimeScenario random_time_scenario(std::uint64_t seed);

// How often each width was seen, to about 1.5 %: every look at ten thousand networks would fill the
// memory of a small machine.
class WidthTally {
public:
    void add(Duration width) { ++counts_[place_of(width)]; }
    // The width, rounded up, that this share of all looks does not exceed.
    Duration at(std::uint64_t ten_thousandths) const;

private:
    static constexpr unsigned fine = 6;  // bits behind the highest one that is set
    static std::size_t place_of(Duration width);

    std::array<std::uint64_t, std::size_t{64} << fine> counts_{};
};

// The error bounds of many of them.
struct StormSummary {
    std::uint64_t runs = 0;
    BoundsOutcome bounds;                  // its widths: the median of each run
    std::vector<Duration> widest;          // likewise, the 99th of a hundred
    WidthTally all, doubts;                // of every look at every clock
    std::vector<std::uint64_t> failing{};  // seeds of runs with an excursion

    void add(std::uint64_t seed);  // runs it
};
std::string to_text(const StormSummary& summary);
std::string to_json(const StormSummary& summary);

}  // namespace conclave::simulator
