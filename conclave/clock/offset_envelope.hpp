// The line that touches the fastest packets of both directions.
//
// Queues only ever delay. So the points of the way there lie above a line, those of the way back
// above its mirror image, and the lines that can be lifted furthest, together, against both clouds
// belong to the packets that met no queue: the slope b that maximises
//     min(there - b t) + min(back + b t),
// and then the offset is half the difference of the two minima. Of n exponential delays the least
// exceeds the shortest possible by an n-th of the mean; a mean of all would err by 1/sqrt(n) of it.
//
// The maximised function is concave and made of straight pieces, and only the corners of the lower
// convex hull of a cloud can touch: of 256 points some ten. There the greatest slope at which the
// sum still rises and the least at which it falls are found by halving; between the two it is flat
// and the middle is taken.
#pragma once

#include "conclave/clock/window.hpp"

namespace conclave::clock {

namespace detail {

struct Corner {
    std::int64_t time, value;
};
using Hull = std::vector<Corner>;

// The lower hull of the points, which come in the order of time.
template <class Value>
void lower_hull(std::span<const Point> points, const Value& value, Hull& hull) {
    hull.clear();
    for (const Point& point : points) {
        const Corner c{point.time, value(point)};
        while (hull.size() >= 2) {
            const Corner &a = hull[hull.size() - 2], &b = hull.back();
            const Wide left = Wide{b.value - a.value} * (c.time - a.time);
            if (left < Wide{c.value - a.value} * (b.time - a.time)) break;  // b lies below
            hull.pop_back();
        }
        if (hull.size() == 1 && hull.back().time == c.time && hull.back().value > c.value)
            hull.pop_back();
        hull.push_back(c);
    }
}

// Where the least of value - slope * time lies.
inline const Corner& lowest(const Hull& hull, std::int64_t ppt) {
    const Corner* best = hull.data();
    // Values below four seconds, times below five minutes, rates below a hundredth: 63 bits do.
    std::int64_t least = best->value * 1'000'000'000 - ppt * best->time;
    for (const Corner& corner : hull) {
        const std::int64_t level = corner.value * 1'000'000'000 - ppt * corner.time;
        if (level >= least) continue;
        least = level;
        best = &corner;
    }
    return *best;
}

// How far the least of some values may lie above the least possible: their median distance from
// it, as a share of their number. Exact for exponential delays, and deaf to a few late packets.
inline std::int64_t shortfall(std::vector<std::int64_t>& values, std::int64_t least) {
    const auto count = static_cast<std::int64_t>(values.size());
    const auto middle = values.begin() + count / 2;
    std::nth_element(values.begin(), middle, values.end());
    return (*middle - least) * 10 / (7 * count);
}

}  // namespace detail

class OffsetEnvelope {
public:
    // The slope is taken from all points, the offset from the later half: it may have wandered.
    Fit fit(std::span<const Point> points) {
        detail::lower_hull(points, [](const Point& p) { return p.there; }, there_);
        detail::lower_hull(points, [](const Point& p) { return p.back; }, back_);
        const std::int64_t slope = best_slope();
        values_there_.clear();
        values_back_.clear();
        std::int64_t there = far, back = far;
        for (const Point& p : points.last((points.size() + 1) / 2)) {
            const std::int64_t line = divide(Wide{slope} * p.time, 1'000'000'000);
            there = std::min(there, values_there_.emplace_back(p.there - line));
            back = std::min(back, values_back_.emplace_back(p.back + line));
        }
        const Duration error{
            (detail::shortfall(values_there_, there) + detail::shortfall(values_back_, back)) / 2 +
            1};
        const Duration length = std::max<Duration>(length_of(points), std::chrono::microseconds(1));
        return {Duration{(there - back) / 2}, Rate{slope}, error,
                clamp(rate_of(2 * error, length), rate_limit)};
    }

private:
    // Positive while a greater slope still lifts the lines.
    std::int64_t lift(std::int64_t slope) const {
        return detail::lowest(back_, -slope).time - detail::lowest(there_, slope).time;
    }
    std::int64_t best_slope() const {
        const std::int64_t reach = bracket();
        std::int64_t low = -reach, high = reach;  // it rises up to `low`
        while (high - low > fine) {
            const std::int64_t middle = low + (high - low) / 2;
            (lift(middle) > 0 ? low : high) = middle;
        }
        const std::int64_t rises = low;
        high = reach;  // it falls from `high` on
        while (high - low > fine) {
            const std::int64_t middle = low + (high - low) / 2;
            (lift(middle) < 0 ? high : low) = middle;
        }
        return rises + (high - rises) / 2;
    }
    // The line that was believed is seldom wrong by more than a millionth.
    std::int64_t bracket() const {
        std::int64_t reach = ppm(1).ppt;
        while (reach < 2 * rate_limit.ppt && (lift(-reach) <= 0 || lift(reach) >= 0)) reach *= 16;
        return std::min(reach, 2 * rate_limit.ppt);
    }

    static constexpr std::int64_t fine = 16;  // a nanosecond in a minute
    static constexpr std::int64_t far = std::int64_t{1} << 62;
    detail::Hull there_, back_;
    std::vector<std::int64_t> values_there_, values_back_;
};

}  // namespace conclave::clock
