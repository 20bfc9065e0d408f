// A node's knowledge of its own clock: its usual rate against the network, and how wrong it may be.
//
// The rate is an average over minutes of the rates by which it was corrected. It is what a node
// coasts on when nobody corrects it, and what it votes with in the ensemble; so a new master need
// not learn it from nothing. The bound starts at the error of the last correction and grows by what
// the rate may be wrong and the oscillator may wander.
#pragma once

#include "conclave/clock/line.hpp"

namespace conclave::clock {

class Holdover {
public:
    // A correction was followed: this clock against the network.
    void learn(Time raw, Rate rate, Duration error, Rate rate_error) {
        if (rate_error > good_enough) {
            // a clock that was just met: nothing to remember
        } else if (began_ == never) {
            began_ = raw;
            rate_ = rate;
        } else {
            // A plain mean at first, then one that forgets.
            const Duration age = std::max<Duration>(raw - began_, std::chrono::milliseconds(1));
            const Duration since = std::clamp(raw - last_, Duration{0}, age);
            const Duration memory = std::min(age, memory_longest);
            rate_.ppt += divide(Wide{(rate - rate_).ppt} * since.count(), memory.count());
        }
        last_ = raw;
        error_ = error;
        rate_error_ = rate_error;
    }
    void forget() { began_ = never; }

    Rate rate() const { return rate_; }
    bool knows_rate() const { return began_ != never && last_ - began_ >= probation; }
    // Largest error of the clock, except in one of hundreds of cases.
    Duration bound(Time raw) const {
        return bound_after(std::max(raw - last_, Duration{0}), error_, rate_error_);
    }
    // The same for any correction, so long after it was made.
    static Duration bound_after(Duration since, Duration error, Rate rate_error) {
        return 3 * error + over(rate_error + wander, since);
    }

    // Largest error that a clock gains while nobody corrects it: by the error of its rate, which a
    // few samples tell badly (`rate_bound` is the worst that they allow), and by a change of the
    // rate since. A cold room that is heated changes it by tens of ppb a second, and by some ppm in
    // all.
    static Duration growth(Duration since, Rate rate_error, Rate rate_bound = {}) {
        const Duration turning = std::min(since, turns_for);
        const Duration turned = over(turn, turning) * (turning / std::chrono::milliseconds(1));
        return over(std::max(6 * rate_error, rate_bound) + wander, since) + turned / 2000 +
               over(turned_most, since - turning);
    }

    // Likely errors of clock and rate, which are smaller.
    Duration likely_error(Time raw) const {
        return error_ + over(likely_rate_error(), std::max(raw - last_, Duration{0}));
    }
    Rate likely_rate_error() const { return rate_error_ + usual_wander; }

private:
    static constexpr Duration memory_longest = std::chrono::seconds(128);
    static constexpr Duration probation = std::chrono::seconds(60);
    static constexpr Rate wander = ppb(50), usual_wander = ppb(5), good_enough = ppb(100);
    static constexpr Rate turn = ppb(20);  // a second ...
    static constexpr Duration turns_for = std::chrono::seconds(500);
    static constexpr Rate turned_most = 500 * turn;  // ... for that long

    Time began_ = never, last_{};
    Rate rate_{}, rate_error_ = rate_limit;
    Duration error_{};
};

}  // namespace conclave::clock
