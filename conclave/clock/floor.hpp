// Do the delays stand on a floor?
//
// A queue can only add to the shortest delay there is, so packets crowd just above it; noise in the
// time stamps scatters to both sides, and the least of many samples is a lonely one. Of the last 32
// samples, in the direction that scatters more, it is seen how high above the least a quarter of
// them lie, as a share of how high half of them do: 0.40 of exponential delays, 0.47 of uniform
// ones, 0.67 of Gaussian noise, each give or take 0.13. No more than 32, or a swing of the rate
// would blur the floor; averaged over some hundreds, or chance would call exponential delays
// Gaussian once in an hour, and least squares then err by half of what the two directions differ.
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
        const Side there = look(points, [](const Point& p) { return p.there; });
        const Side back = look(points, [](const Point& p) { return p.back; });
        const Side& side = there.half > back.half ? there : back;
        if (side.half == 0) return;
        height_ += (side.quarter * whole / side.half - height_) / memory;
        if (crowded_ ? height_ > highest : height_ < lowest) crowded_ = !crowded_;
    }
    bool crowded() const { return crowded_; }

private:
    static constexpr std::int64_t whole = 1 << 16, memory = 256;
    static constexpr std::int64_t lowest = whole * 54 / 100, highest = whole * 60 / 100;

    struct Side {  // above the least
        std::int64_t quarter, half;
    };
    template <class Value>
    Side look(std::span<const Point> points, const Value& value) {
        values_.clear();
        for (const Point& point : points.last(sight)) values_.push_back(value(point));
        const auto half = values_.begin() + sight / 2, quarter = values_.begin() + sight / 4;
        std::nth_element(values_.begin(), half, values_.end());
        std::nth_element(values_.begin(), quarter, half);
        const std::int64_t least = *std::min_element(values_.begin(), quarter + 1);
        return {*quarter - least, *half - least};
    }

    std::vector<std::int64_t> values_;
    std::int64_t height_ = whole * 45 / 100;
    bool crowded_ = true;
};

}  // namespace conclave::clock
