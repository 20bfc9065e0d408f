// The latest samples of one slave, oldest first.
//
// The estimators look at them from the present and along the line that was last believed: what is
// left then are small numbers, and a slope of zero means that nothing has changed.
#pragma once

#include <span>
#include <vector>

#include "conclave/clock/line.hpp"
#include "conclave/clock/sample.hpp"

namespace conclave::clock {

struct Point {
    std::int64_t time = 0;             // before the present, in microseconds: negative
    std::int64_t there = 0, back = 0;  // in nanoseconds, without the line that was believed
    std::int64_t round_trip() const { return there + back; }
};

// An estimator's addition to the line that was believed, as of the present.
struct Fit {
    Duration offset{};
    Rate rate{};
    Duration error{};   // of the offset, about one standard deviation
    Rate rate_error{};  // of the rate
};

class Window {
public:
    static constexpr std::size_t most = 256;

    void add(const Sample& sample) {
        if (samples_.size() == 2 * most)  // seldom, and then many at once
            samples_.erase(samples_.begin(), samples_.begin() + most);
        samples_.push_back(sample);
    }
    void clear() { samples_.clear(); }
    template <class Change>
    void change_last(std::size_t count, const Change& change) {
        for (Sample& sample : std::span(samples_).last(count)) sample = change(sample);
    }
    std::size_t size() const { return samples_.size() < most ? samples_.size() : most; }
    bool empty() const { return samples_.empty(); }
    const Sample& newest() const { return samples_.back(); }
    std::span<const Sample> all() const { return std::span(samples_).last(size()); }

    // The samples as seen from `now` along `believed`; `into` is reused.
    void look_back(const Line& believed, Time now, std::vector<Point>& into) const {
        into.clear();
        const Duration here = believed(now);
        for (const Sample& sample : all()) {
            const std::int64_t time = (sample.at - now).count() / 1000;
            const std::int64_t line =
                here.count() + divide(Wide{believed.rate.ppt} * time, 1'000'000'000);
            into.push_back({time, sample.there.count() - line, sample.back.count() + line});
        }
    }

private:
    std::vector<Sample> samples_;
};

// The points from the first to the last.
inline Duration length_of(std::span<const Point> points) {
    return std::chrono::microseconds(points.back().time - points.front().time);
}

}  // namespace conclave::clock
