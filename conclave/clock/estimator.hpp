// Where a slave's clock stands against the master's, from all the exchanges with it.
//
// Four questions, each answered from the samples themselves:
// - Which method? The envelope while delays stand on a floor, least squares while they do not;
//   neither is good at the other's trade. Changed only when the answer is clear.
// - How far back? A longer window averages more, until the oscillator has wandered. Both errors are
//   known, so the window with the least sum is taken. A longer one that disagrees with a shorter
//   beyond their errors ends the search if it does so again and again: the oscillator has wandered.
//   Once or twice, few samples may have been sure by chance: then the longer one is taken, and
//   either may be wrong. A temperature swing shortens the window, a quiet night lengthens it.
// - Is it still the same clock? A sample says where the offset must lie, give or take half of what
//   it was longer under way than the quickest. If the line passes outside, the sample is doubtful
//   and kept apart; three in a row, and the clock was set or has changed its rate: start afresh
//   with those three.
// - Is it still the same path? Where the round trip has changed, too, it is the path that did
//   (reroute.hpp), and the line goes on.
#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "conclave/clock/floor.hpp"
#include "conclave/clock/least_squares.hpp"
#include "conclave/clock/offset_envelope.hpp"
#include "conclave/clock/reroute.hpp"
#include "conclave/clock/wander.hpp"

namespace conclave::clock {

enum class Method : std::uint8_t { learned, envelope, least_squares };

struct EstimatorSettings {
    Method method = Method::learned;
    std::uint32_t window = 0;  // so many samples, always; 0: whichever errs least
};

struct Estimate {
    Line line{};  // the slave's clock minus the master's, from the master's
    Duration error{};
    Rate rate_error{};
    std::size_t samples = 0;  // the length of the window that was taken
    Duration path{};          // what no estimator can exclude of the offset; see Doubt
    Rate rate_bound{};        // ... and of the rate
};

class Estimator {
public:
    enum class Verdict : std::uint8_t { fits, doubtful, moved };

    explicit Estimator(EstimatorSettings settings = {}) : settings_(settings) {
        one_sided_ = settings.method != Method::least_squares;
    }

    Verdict add(const Sample& measured) {
        const Sample sample = detour_.undo(measured);
        if (window_.empty()) return start_with({&sample, 1}), Verdict::fits;
        if (contradicts(sample)) {
            doubtful_.push_back(sample);
            if (doubtful_.size() < patience) return Verdict::doubtful;
            const std::vector<Sample> fresh = std::move(doubtful_);
            start_with(fresh);
            return Verdict::moved;
        }
        doubtful_.clear();
        if (came_another_way(sample)) return Verdict::fits;
        learn(sample);
        window_.add(sample);
        notice_detour();
        look();
        return Verdict::fits;
    }

    // Enough to say how fast the clock runs.
    bool knows_rate() const {
        return window_.size() >= least && window_.newest().at - window_.all().front().at >= span;
    }
    bool empty() const { return window_.empty(); }
    bool in_doubt() const { return !doubtful_.empty(); }
    // It would be doubted if it were added.
    bool is_surprised_by(const Sample& measured) const {
        return !window_.empty() && contradicts(detour_.undo(measured));
    }
    // Two samples in a row are no accident: what it says is likely to be wrong.
    bool doubted() const { return doubtful_.size() >= 2; }
    bool one_sided() const { return one_sided_; }
    const Estimate& estimate() const { return estimate_; }
    // Largest error of the line at some time: three times all known errors.
    Duration bound(Time now) const {
        const Duration ahead = std::max(now - estimate_.line.at, Duration{0});
        return 3 * estimate_.error +
               over(3 * estimate_.rate_error + wander_.walked(ahead + span), ahead);
    }
    const Scatter& scatter() const { return scatter_; }

private:
    static constexpr std::size_t patience = 3, least = 8, first_look = 16, enough = 64;
    static constexpr Duration span = std::chrono::milliseconds(900);
    static constexpr Duration half_minute = std::chrono::seconds(30);
    static constexpr Duration slack = std::chrono::microseconds(1);

    void start_with(std::span<const Sample> samples) {
        window_.clear();
        doubtful_.clear();
        quick_.clear();
        disagreed_ = 0;
        wander_.restart();
        for (const Sample& sample : samples) window_.add(sample);
        estimate_ = {{samples.back().at, samples.back().offset(), {}}, {}, {}, 1, {}};
        look();
    }

    // Samples that are too quick are kept apart until there are enough to tell of a shorter way.
    bool came_another_way(const Sample& sample) {
        const auto all = window_.all();
        if (!knows_rate() || all.size() < Reroute::fewest) return false;
        const auto old = all.last(std::min(all.size(), Reroute::before));
        if (!Reroute::too_quick(sample, reroute_.look(old))) return quick_.clear(), false;
        quick_.push_back(sample);
        if (quick_.size() < Reroute::sight) return true;
        const std::vector<Sample> fresh = std::exchange(quick_, {});
        const auto found = reroute_.compare(old, fresh, estimate_.line);
        if (!found) return false;
        const Detour change = detour_.take(*found);
        for (const Sample& each : fresh) window_.add(change.undo(each));
        look();
        return true;
    }
    // A longer way shows when the last samples are all late alike.
    void notice_detour() {
        const auto all = window_.all();
        if (!knows_rate() || all.size() < Reroute::sight + Reroute::fewest) return;
        const auto old = all.first(all.size() - Reroute::sight);
        const auto found = reroute_.compare(old.last(std::min(old.size(), Reroute::before)),
                                            all.last(Reroute::sight), estimate_.line);
        if (!found) return;
        const Detour change = detour_.take(*found);
        window_.change_last(Reroute::sight, [&](const Sample& each) { return change.undo(each); });
    }

    Duration quickest() const {
        Duration least_trip = window_.newest().round_trip();
        for (const Sample& sample : window_.all())
            least_trip = std::min(least_trip, sample.round_trip());
        return least_trip;
    }

    bool contradicts(const Sample& sample) const {
        if (!knows_rate()) return beyond_reason(sample);
        // A round trip that differs may be another way.
        const Duration excess = magnitude(sample.round_trip() - quickest());
        const Duration noise = (one_sided_ ? 2 : 5) * scatter_.deviation();
        const Duration beside = magnitude(sample.offset() - estimate_.line(sample.at));
        return beside > excess / 2 + bound(sample.at) + noise + slack;
    }
    // Too little is known for a line: has the clock been set?
    bool beyond_reason(const Sample& sample) const {
        const Sample& last = window_.newest();
        const Duration allowed = (sample.round_trip() + last.round_trip()) / 2 +
                                 over(rate_limit, magnitude(sample.at - last.at)) + slack;
        return magnitude(sample.offset() - last.offset()) > allowed;
    }

    void learn(const Sample& sample) {
        if (!knows_rate()) return;
        scatter_.learn(sample.offset() - estimate_.line(sample.at),
                       sample.round_trip() - quickest());
    }

    Fit fit(std::size_t length) {
        const std::span<const Point> points = std::span(points_).last(length);
        Fit fit = one_sided_ ? envelope_.fit(points) : fit_least_squares(points, scatter_);
        const Wide noise = Wide{fit.error.count()} * fit.error.count();
        fit.error = Duration{root(noise + wander_.square_error(length_of(points)))};
        fit.error += lateness(points, fit.error);
        return fit;
    }

    // If even the quickest of these was much longer under way than the quickest of all, a burst hit
    // the whole window, and half of that may be an error that looks like none.
    Duration lateness(std::span<const Point> points, Duration error) const {
        const auto quicker = [](const Point& a, const Point& b) {
            return a.round_trip() < b.round_trip();
        };
        const auto later = points.last((points.size() + 1) / 2);
        const Duration excess{std::min_element(later.begin(), later.end(), quicker)->round_trip() -
                              quickest_};
        return std::max(excess / 2 - 4 * error - 2 * scatter_.deviation(), Duration{0});
    }

    void look() {
        const Time now = window_.newest().at;
        const Line believed = estimate_.line.moved_to(now);
        window_.look_back(believed, now, points_);
        quickest_ = quickest().count();
        if (window_.size() < least) return look_narrowly(now);
        floor_.learn(points_);
        if (settings_.method == Method::learned && one_sided_ != floor_.crowded()) {
            one_sided_ = floor_.crowded();
            wander_ = {};  // of which the other method knew only its own error
        }
        const bool fixed = settings_.window != 0;
        std::size_t length = fixed ? std::min<std::size_t>(settings_.window, window_.size())
                                   : std::min(first_look, window_.size());
        Fit best = fit(length);
        std::size_t chosen = length;
        bool compared = false, disagree = false;
        Duration between{};
        while (!fixed && length < window_.size()) {
            length = std::min(length + length / 2, window_.size());
            const Fit wider = fit(length);
            if (!compared && length >= enough && window_length(length) >= half_minute) {
                compared = true;
                wander_.learn(now, believed.rate + wider.rate, wider.rate_error,
                              window_length(length));
            }
            const Duration apart = magnitude(wider.offset - best.offset);
            if (length > enough && apart > 4 * (best.error + wider.error)) {
                disagree = true;
                if (disagreed_ >= patience) break;
                between = std::max(between, apart);
            } else if (wider.error >= best.error) {
                continue;
            }
            best = wider;
            chosen = length;
        }
        disagreed_ = disagree ? disagreed_ + 1 : 0;
        best.error += between / 3;  // the bound is three times the error
        const Doubt doubt = least_doubt(best, std::span(points_).last(chosen));
        estimate_ = {
            {now, believed.offset + best.offset, clamp(believed.rate + best.rate, rate_limit)},
            best.error + detour_.error,
            best.rate_error,
            chosen,
            doubt.offset + detour_.doubt(),
            doubt.rate};
    }
    // Whatever its two ways have in common, a sample leaves half of its round trip in doubt, and as
    // much more as the line passes beside it. Of the last few the one that leaves the least: none
    // from before a change that the line has not followed yet. The rate can be off by what two
    // samples leave in doubt, over the time between them.
    struct Doubt {
        Duration offset{};
        Rate rate{};
    };
    static std::int64_t twice_doubt(const Fit& fit, const Point& p) {
        const std::int64_t line =
            fit.offset.count() + divide(Wide{fit.rate.ppt} * p.time, 1'000'000'000);
        const std::int64_t beside = p.there - p.back - 2 * line;
        return std::max<std::int64_t>(p.round_trip() + (beside < 0 ? -beside : beside), 0);
    }
    static Doubt least_doubt(const Fit& fit, std::span<const Point> points) {
        std::int64_t least_twice = std::numeric_limits<std::int64_t>::max(), at = 0;
        for (const Point& p : points.last(std::min(patience, points.size()))) {
            const std::int64_t twice = twice_doubt(fit, p);
            if (twice > least_twice) continue;
            least_twice = twice;
            at = p.time;
        }
        Rate rate = rate_limit;
        for (const Point& p : points)
            if (p.time < at)
                rate = std::min(rate, rate_of(Duration{(twice_doubt(fit, p) + least_twice) / 2},
                                              std::chrono::microseconds(at - p.time)));
        const Duration since = std::chrono::microseconds(points.back().time - at);
        return {Duration{least_twice / 2} + over(rate, since), rate};
    }
    Duration window_length(std::size_t samples) const {
        return length_of(std::span(points_).last(samples));
    }

    // A few samples: the offset of the quickest, wrong by half its round trip at the worst.
    void look_narrowly(Time now) {
        const Sample* best = &window_.newest();
        for (const Sample& sample : window_.all())
            if (sample.round_trip() < best->round_trip()) best = &sample;
        estimate_ = {{now, best->offset(), {}},
                     best->round_trip() / 2,
                     rate_limit,
                     window_.size(),
                     best->round_trip() / 2,
                     rate_limit};
    }

    EstimatorSettings settings_;
    Window window_;
    std::vector<Sample> doubtful_, quick_;
    std::size_t disagreed_ = 0;  // short windows and long ones, in so many looks on end
    Reroute reroute_;
    Detour detour_;  // of the way that packets take now
    Scatter scatter_;
    Wander wander_;
    Floor floor_;
    bool one_sided_ = true;
    Estimate estimate_;
    OffsetEnvelope envelope_;
    std::vector<Point> points_;
    std::int64_t quickest_ = 0;  // of them
};

}  // namespace conclave::clock
