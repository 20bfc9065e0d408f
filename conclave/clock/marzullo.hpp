// Where most of the clocks agree (Marzullo 1984).
//
// Everybody says an interval in which the truth should lie. The place that the most intervals cover
// is where the truth is, if no more than that are right; who does not reach it is a falseticker,
// however sure it is of itself. Used on offsets and on rates alike: a clock that was set wrong
// shows in the first, one whose oscillator went bad in the second, long before the first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace conclave::clock {

struct Interval {
    std::int64_t low = 0, high = 0;

    static constexpr Interval around(std::int64_t middle, std::int64_t reach) {
        return {middle - reach, middle + reach};
    }
    constexpr bool meets(const Interval& other) const {
        return low <= other.high && other.low <= high;
    }
    bool operator==(const Interval&) const = default;
};

struct Agreement {
    Interval place{};
    std::size_t count = 0;  // how many cover it
};

// The first place that the most intervals cover.
inline Agreement most_agreed(std::span<const Interval> intervals) {
    struct Edge {
        std::int64_t at;
        bool end;
        bool operator<(const Edge& other) const {  // touching is agreeing: begin before end
            return at != other.at ? at < other.at : !end && other.end;
        }
    };
    std::vector<Edge> edges;
    for (const Interval& interval : intervals) {
        edges.push_back({interval.low, false});
        edges.push_back({interval.high, true});
    }
    std::sort(edges.begin(), edges.end());
    Agreement best;
    std::size_t open = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].end) {
            --open;
        } else if (++open > best.count) {
            best = {{edges[i].at, edges[i + 1].at}, open};  // an end follows: this one's at least
        }
    }
    return best;
}

// The same, if more than half of all agree.
inline std::optional<Interval> majority_place(std::span<const Interval> intervals) {
    const Agreement best = most_agreed(intervals);
    if (2 * best.count <= intervals.size()) return std::nullopt;
    return best.place;
}

}  // namespace conclave::clock
