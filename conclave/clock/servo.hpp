// The clock that users see: the raw one, corrected by its rate alone.
//
// An error is removed in about a second by running a little faster or slower, never by more than
// the limit, and then the clock runs along the line by itself, whether or not more corrections
// come. So time neither jumps nor stands still. A step is taken only where the policy says so
// (step_policy.hpp).
#pragma once

#include "conclave/clock/line.hpp"
#include "conclave/clock/step_policy.hpp"

namespace conclave::clock {

// Fastest slew of the kernel's clock, by its tick.
inline constexpr Rate fastest_slew = ppm(100'000);

struct ServoSettings {
    Duration span = std::chrono::seconds(1);  // in which an error is removed
    Rate limit = ppm(50'000);                 // of the slew: a second in 20 s
    Rate bsd_limit = ppm(500);  // of the slew that a BSD timed asks for: BSD kernels do no more
    StepPolicy step{};
};

class Servo {
public:
    enum class Did : std::uint8_t { slewed, stepped };

    explicit Servo(ServoSettings settings = {}) : settings_(settings) {}

    // Reading of the clock when the raw one shows `raw`.
    Time read(Time raw) const { return raw + offset(raw); }
    Duration offset(Time raw) const { return raw < until_ ? slewing_(raw) : target_(raw); }
    bool slews(Time raw) const { return raw < until_; }
    std::uint32_t steps() const { return steps_; }  // so many errors were stepped over
    // The same, and those with which the clock was set first.
    std::uint32_t leaps() const { return steps_ + starts_; }
    Rate limit() const { return settings_.limit; }
    Rate steady() const { return target_.rate; }  // once it has arrived
    Rate bsd_limit() const { return settings_.bsd_limit; }

    // The clock is told the time for the first time.
    Did start(Time raw, const Line& target) {
        const Duration error = target(raw) - offset(raw);
        if (!settings_.step.at_first || !may_step(error)) return steer(raw, target);
        ++starts_;
        set(target);
        return Did::stepped;
    }
    // From now on run along `target`.
    Did steer(Time raw, const Line& target) {
        const Duration error = target(raw) - offset(raw);
        const bool counts = corrections_ < settings_.step.corrections;
        if (counts && settings_.step.corrections != StepPolicy::always) ++corrections_;
        if (counts && magnitude(error) > settings_.step.beyond && may_step(error))
            return step(target);
        return slew(raw, target, settings_.limit);
    }
    // The same without a step, and no faster than `limit`.
    Did slew(Time raw, const Line& target, Rate limit) {
        const Duration error = target(raw) - offset(raw);
        if (error == Duration{0}) {
            set(target);
            return Did::slewed;
        }
        const Duration most = over(limit, settings_.span);  // however large the error
        const Rate gain = rate_of(std::clamp(error, -most, most), settings_.span);
        slewing_ = {raw, offset(raw), target.rate + gain};
        const Wide until = raw.count() + Wide{error.count()} * 1'000'000'000'000 / gain.ppt;
        until_ = until < never.count() ? Time{static_cast<std::int64_t>(until)} : never;
        target_ = target;
        return Did::slewed;
    }
    // Shows the target's time at once, whatever the policy: somebody asked for it.
    Did step(const Line& target) {
        ++steps_;
        set(target);
        return Did::stepped;
    }
    void set(const Line& target) {
        target_ = target;
        until_ = Time::min();
    }
    // Somebody else has moved the clock: it shows this, and goes on from there.
    void moved(Time raw, Duration offset) { set({raw, offset, target_.rate}); }

private:
    bool may_step(Duration error) const { return error > Duration{0} || settings_.step.backwards; }

    ServoSettings settings_;
    Line target_{}, slewing_{};
    Time until_ = Time::min();
    std::uint32_t steps_ = 0, starts_ = 0, corrections_ = 0;
};

}  // namespace conclave::clock
