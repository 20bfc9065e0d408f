// The line that lies closest to all samples, each weighed by how far it can be trusted.
//
// Where delays scatter to both sides, as they do when the time stamps themselves are noisy, no
// packet is a fastest one and the mean of many is what is left. A sample that was under way longer
// than the quickest by s is believed with the variance a + c s^2. The two numbers are learned from
// how far new samples came from where the line had expected them. If the longer ones are all off to
// the same side, weighing would only pull the line to the other: then all count alike.
#pragma once

#include "conclave/clock/window.hpp"

namespace conclave::clock {

// a + c s^2, learned.
class Scatter {
public:
    // A sample came `residual` beside the line, after `excess` more under way than the quickest.
    void learn(Duration residual, Duration excess) {
        const Wide r = std::clamp(residual.count(), -most, most), s = limited(excess);
        const std::int64_t share = std::min<std::int64_t>(++count_, memory);
        const auto size = static_cast<std::int64_t>(r < 0 ? -r : r);
        if (count_ == 1) typical_ = size;
        typical_ += size > typical_ ? typical_ / 16 + 1 : -typical_ / 16;
        const auto follow = [&](Wide& mean, Wide value) { mean += (value - mean) / share; };
        follow(mean_, r);
        follow(mean_excess_, s);
        follow(mixed_, r * s);
        follow(square_, r * r);
        follow(excess_, s * s);
        follow(product_, r * r * s * s);
        follow(fourth_, s * s * s * s);
    }

    // The part of the variance that is the same for all samples, in square nanoseconds.
    std::int64_t common() const {
        return static_cast<std::int64_t>(std::max<Wide>({square_ - explained(), square_ / 64, 1}));
    }
    // The weight of a sample by its excess: 2^16 where there is none.
    auto trust() const {
        return [a = static_cast<std::uint64_t>(common()), c = slope()](Duration excess) -> Wide {
            const Wide s = limited(excess);
            const Wide variance = a + (c * s * s >> shift);  // below 2^45
            return static_cast<std::int64_t>((a << 16) / static_cast<std::uint64_t>(variance) + 1);
        };
    }
    // How far samples usually come beside the line: twice the median, which bursts do not move.
    Duration deviation() const { return Duration{2 * typical_}; }

private:
    static constexpr int shift = 20;
    static constexpr std::int64_t memory = 256, most = std::int64_t{1} << 22;  // 4 ms

    static Wide limited(Duration excess) {
        return std::clamp<std::int64_t>(excess.count(), 0, most);
    }
    // c, times 2^shift: the slope of r^2 over s^2, which lies between 0 and 1.
    Wide slope() const {
        const Wide spread = fourth_ - excess_ * excess_;
        if (spread <= 0 || leans()) return 0;
        const Wide c = ((product_ - square_ * excess_) << shift) / spread;
        return std::clamp<Wide>(c, 0, Wide{1} << shift);
    }
    // More than half correlated: residuals go with the excess, sign and all.
    bool leans() const {
        const Wide both = mixed_ - mean_ * mean_excess_;
        return 4 * both * both >
               (square_ - mean_ * mean_) * (excess_ - mean_excess_ * mean_excess_);
    }
    Wide explained() const { return std::min<Wide>(slope() * excess_ >> shift, square_); }

    Wide mean_ = 0, mean_excess_ = 0, mixed_ = 0;
    Wide square_ = 0, excess_ = 0, product_ = 0, fourth_ = 0;  // means
    std::int64_t typical_ = 0, count_ = 0;
};

inline Fit fit_least_squares(std::span<const Point> points, const Scatter& scatter) {
    std::int64_t quickest = points.front().round_trip();
    for (const Point& p : points) quickest = std::min(quickest, p.round_trip());
    const auto weigh = [&, trust = scatter.trust()](const Point& p) {
        return trust(Duration{p.round_trip() - quickest});
    };
    Wide all = 0, times = 0, values = 0;
    for (const Point& p : points) {
        const Wide w = weigh(p);
        all += w;
        times += w * p.time;
        values += w * (p.there - p.back);
    }
    const auto time = static_cast<std::int64_t>(times / all);
    const auto value = static_cast<std::int64_t>(values / all);
    Wide across = 0, along = 0;
    for (const Point& p : points) {
        const Wide w = weigh(p), t = p.time - time;
        across += w * t * (p.there - p.back - value);
        along += w * t * t;
    }
    // Twice the offset in nanoseconds per microsecond, in parts per trillion.
    const std::int64_t slope =
        along == 0 ? 0 : static_cast<std::int64_t>(across * 500'000'000 / along);
    const std::int64_t offset = value / 2 - divide(Wide{slope} * time, 1'000'000'000);
    // As if the effective number of samples were spread evenly: twice the mean's error at the end.
    const Wide variance = (Wide{scatter.common()} << 16) / all + 1;
    const Duration error{2 * root(variance)};
    const Duration length = std::max<Duration>(length_of(points), std::chrono::microseconds(1));
    return {Duration{offset}, clamp({slope}, 2 * rate_limit), error,
            clamp(rate_of(2 * error, length), rate_limit)};
}

}  // namespace conclave::clock
