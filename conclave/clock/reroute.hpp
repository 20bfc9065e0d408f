// Did the path change, or the clock?
//
// A clock that is set moves the way there and the way back by the same, to opposite sides: their
// sum, the round trip, stays. A path that changes does not do that. So if the least round trip of
// the last samples differs from what it was by far more than they scatter, and they scatter as
// before, packets go another way: what each direction has grown by, along the line that was
// believed, belongs to the path and is taken off from then on. Without it half of what one
// direction grew would look like a clock that was set.
#pragma once

#include <optional>

#include "conclave/clock/line.hpp"
#include "conclave/clock/sample.hpp"
#include "conclave/clock/window.hpp"

namespace conclave::clock {

// By what a path has grown, each way.
struct Detour {
    Duration there{}, back{};
    Duration error{};  // of half of what they differ

    constexpr Sample undo(Sample sample) const {
        sample.there -= there;
        sample.back -= back;
        return sample;
    }
    constexpr Duration length() const { return there + back; }
    // Addition to the doubt that undone samples leave: up to half of the measured round trip, and
    // half of the difference of the two ways, because the clock may have been set by that instead.
    constexpr Duration doubt() const { return (length() + magnitude(there - back)) / 2; }
    // The path has changed once more. Returns by what: if it is the first one again, by exactly
    // what it had changed by, so that errors do not add up.
    constexpr Detour take(Detour change) {
        if (magnitude(length() + change.length()) <= 8 * (error + change.error))
            change = {-there, -back, -error};
        *this = {there + change.there, back + change.back, error + change.error};
        return change;
    }
};

// The round trips of some samples: the least, and how far above it half and all of them lie.
struct Trips {
    Duration least{}, scatter{}, range{};
};

class Reroute {
public:
    static constexpr std::size_t sight = 8;  // samples that tell of a new way
    static constexpr std::size_t before = 48, fewest = 24;

    // The usual round trips, from samples of one path.
    Trips look(std::span<const Sample> samples) {
        trips_.clear();
        for (const Sample& sample : samples) trips_.push_back(sample.round_trip());
        const auto half = trips_.begin() + static_cast<std::ptrdiff_t>(trips_.size() / 2);
        std::nth_element(trips_.begin(), half, trips_.end());
        const Duration least = *std::min_element(trips_.begin(), half + 1);
        return {least, *half - least, *std::max_element(half, trips_.end()) - least};
    }
    // A sample that cannot have come the usual way: it is quicker than the quickest of many, by as
    // much as half of them are slower.
    static bool too_quick(const Sample& sample, const Trips& usual) {
        return usual.least - sample.round_trip() > usual.scatter + slack;
    }
    // The change of path between the `old` and the `fresh` samples, along a line; nothing: none.
    std::optional<Detour> compare(std::span<const Sample> old, std::span<const Sample> fresh,
                                  const Line& line) {
        const Trips usual = look(old), now = look(fresh);
        const Duration longer = now.least - usual.least;
        if (longer < Duration{0} ? -longer <= usual.scatter
                                 : longer <= 4 * usual.scatter + 2 * slack)
            return std::nullopt;
        if (now.range > 6 * usual.scatter + slack) return std::nullopt;
        const auto [there, back] = floors(old, line);
        const auto [fresh_there, fresh_back] = floors(fresh, line);
        const Detour found{fresh_there - there, fresh_back - back,
                           now.scatter / static_cast<std::int64_t>(sight) + slack / 8};
        // No way has grown by more than both together, or the clock was set as well.
        const Duration most = magnitude(longer) + 2 * (usual.scatter + now.scatter + slack);
        if (magnitude(found.there - found.back) > most) return std::nullopt;
        return found;
    }

private:
    static constexpr Duration slack = std::chrono::microseconds(2);

    static std::pair<Duration, Duration> floors(std::span<const Sample> samples, const Line& line) {
        Duration there = Duration::max(), back = Duration::max();
        for (const Sample& sample : samples) {
            const Duration here = line(sample.at);
            there = std::min(there, sample.there - here);
            back = std::min(back, sample.back + here);
        }
        return {there, back};
    }

    std::vector<Duration> trips_;
};

}  // namespace conclave::clock
