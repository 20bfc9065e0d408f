// The clock that users see: the raw one, corrected by its rate alone.
//
// An error is removed in about a second by running a little faster or slower, never by more than
// the limit, and then the clock runs along the line by itself, whether or not more corrections
// come. So time neither jumps nor stands still. A step is taken only before the clock has been set
// for the first time, or beyond a limit if one is given; backwards only where that is allowed.
#pragma once

#include "conclave/clock/line.hpp"

namespace conclave::clock {

struct ServoSettings {
    Duration span = std::chrono::seconds(1);  // in which an error is removed
    Rate limit = ppm(500);                    // of the slew
    Duration step_limit{};                    // larger errors are stepped; 0: never
    bool backwards = false;
};

class Servo {
public:
    enum class Did : std::uint8_t { slewed, stepped };

    explicit Servo(ServoSettings settings = {}) : settings_(settings) {}

    // What the clock shows when the raw one shows `raw`.
    Time read(Time raw) const { return raw + offset(raw); }
    Duration offset(Time raw) const { return raw < until_ ? slewing_(raw) : target_(raw); }
    bool slews(Time raw) const { return raw < until_; }
    std::uint32_t steps() const { return steps_; }  // so many errors were stepped over

    Rate limit() const { return settings_.limit; }

    // From now on run along `target`, slewing no faster than `limit`.
    Did steer(Time raw, const Line& target) { return steer(raw, target, settings_.limit); }
    Did steer(Time raw, const Line& target, Rate limit) {
        const Duration error = target(raw) - offset(raw);
        if (must_step(error)) {
            step(target);
            return Did::stepped;
        }
        if (error == Duration{0}) {
            set(target);
            return Did::slewed;
        }
        const Duration most = over(limit, settings_.span);  // however large the error
        const Rate slew = rate_of(std::clamp(error, -most, most), settings_.span);
        slewing_ = {raw, offset(raw), target.rate + slew};
        const Wide until = raw.count() + Wide{error.count()} * 1'000'000'000'000 / slew.ppt;
        until_ = until < never.count() ? Time{static_cast<std::int64_t>(until)} : never;
        target_ = target;
        return Did::slewed;
    }
    // Shows the target's time at once, whatever the policy: somebody asked for it.
    void step(const Line& target) {
        ++steps_;
        set(target);
    }
    void set(const Line& target) {
        target_ = target;
        until_ = Time::min();
    }

private:
    bool must_step(Duration error) const {
        if (settings_.step_limit == Duration{0} || magnitude(error) <= settings_.step_limit)
            return false;
        return error > Duration{0} || settings_.backwards;
    }

    ServoSettings settings_;
    Line target_{}, slewing_{};
    Time until_ = Time::min();
    std::uint32_t steps_ = 0;
};

}  // namespace conclave::clock
