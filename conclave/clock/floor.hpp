// Do the delays stand on a floor?
//
// A queue can only add to the shortest delay there is, so packets crowd just above it; noise in the
// time stamps scatters to both sides, and the least of many samples is a lonely one. Of the last 32
// samples those are counted that lie within an eighth of the median above the least, in the
// direction that scatters more: four of exponential delays, three of uniform ones, two of Gaussian.
// No more than 32, or a swing of the rate would blur the floor.
// (How much of the scatter the time under way explains would tell most cases as well, but not
// Gaussian noise in one direction from a queue in one direction: it explains both.)
#pragma once

#include "conclave/clock/window.hpp"

namespace conclave::clock {

class Floor {
public:
    static constexpr std::size_t sight = 32;

    // The points as seen along a good line.
    void learn(std::span<const Point> points) {
        if (points.size() < sight) return;
        const Side there = count_low(points, [](const Point& p) { return p.there; });
        const Side back = count_low(points, [](const Point& p) { return p.back; });
        const std::int64_t low = there.median > back.median ? there.low : back.low;
        crowd_ += (256 * low - crowd_) / 64;
        if (crowded_ ? crowd_ < 256 * 21 / 10 : crowd_ > 256 * 26 / 10) crowded_ = !crowded_;
    }
    bool crowded() const { return crowded_; }

private:
    struct Side {
        std::int64_t median, low;
    };
    template <class Value>
    Side count_low(std::span<const Point> points, const Value& value) {
        values_.clear();
        for (const Point& point : points.last(sight)) values_.push_back(value(point));
        const auto middle = values_.begin() + sight / 2;
        std::nth_element(values_.begin(), middle, values_.end());
        const std::int64_t least = *std::min_element(values_.begin(), middle + 1);
        const std::int64_t median = *middle - least;
        const auto low = std::count_if(values_.begin(), middle,
                                       [&](std::int64_t v) { return v - least <= median / 8; });
        return {median, low};
    }

    std::vector<std::int64_t> values_;
    std::int64_t crowd_ = 768;  // in 256ths: three to begin with
    bool crowded_ = true;
};

}  // namespace conclave::clock
