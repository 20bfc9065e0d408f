#include "conclave/timed/timepiece.hpp"

#include <sys/timex.h>

#include <cerrno>
#include <ctime>

#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"

namespace conclave::timed {

namespace {

using clock::Rate;

Time read(clockid_t which) {
    timespec now{};
    clock_gettime(which, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// Kept in the process: an affine function of CLOCK_REALTIME, so stamps map through it exactly.
class VirtualClock final : public Timepiece {
public:
    VirtualClock(Duration offset, Rate drift) : line_{net::unix_time(), offset, drift} {}

    Time raw_now() const override { return raw_at(net::unix_time()); }
    Time raw_at(Time stamp) const override { return stamp + line_(stamp); }
    bool obey(const clock::Keeper&) override { return true; }
    Duration offset(const clock::Keeper& keeper) const override {
        const Time real = net::unix_time();
        return keeper.read(raw_at(real)) - real;
    }

private:
    clock::Line line_;
};

// The raw clock is CLOCK_MONOTONIC_RAW, which nobody disciplines, set to the time of day once.
class WatchedClock : public Timepiece {
public:
    Time raw_now() const override { return read(CLOCK_MONOTONIC_RAW) + began_; }
    // The stamp is a moment old: over so short a time the clocks run alike but for what they are
    // steered by.
    Time raw_at(Time stamp) const override {
        const Time raw = raw_now(), real = net::unix_time();
        const Duration age = real - stamp;
        return raw - age + clock::over(steered_, age);
    }
    bool obey(const clock::Keeper&) override { return true; }
    Duration offset(const clock::Keeper& keeper) const override {
        const Time raw = raw_now(), real = net::unix_time();
        return real - raw - keeper.line()(raw);
    }

protected:
    Rate steered_{};  // of CLOCK_REALTIME against the raw one

private:
    Duration began_ = net::unix_time() - read(CLOCK_MONOTONIC_RAW);
};

// Steers the kernel's clock by its frequency alone. A step is taken only where the keeper's own
// clock took one, and an error is removed in about a second like the keeper's.
class SystemClock final : public WatchedClock {
public:
    SystemClock() {
        timex now{};
        if (clock_adjtime(CLOCK_REALTIME, &now) < 0)
            net::fail("ask for the clock's frequency", errno);
        timex same{};
        same.modes = ADJ_FREQUENCY;
        same.freq = now.freq;
        if (clock_adjtime(CLOCK_REALTIME, &same) < 0)
            net::fail("steer this machine's clock (CAP_SYS_TIME is needed, or --clock virtual)",
                      errno);
    }

    bool obey(const clock::Keeper& keeper) override {
        if (!keeper.is_set()) return true;
        const Time raw = raw_now(), real = net::unix_time();
        const Duration wanted = keeper.servo().offset(raw);
        const Duration error = raw + wanted - real;
        const Duration jumped = wanted - wanted_ - clock::over(rate_, raw - last_);
        const bool stepped = !obeyed_ || clock::magnitude(jumped) > noticeable;
        const Duration ahead = keeper.servo().offset(raw + span) - wanted;
        rate_ = clock::rate_of(ahead, span);
        wanted_ = wanted;
        last_ = raw;
        timex change{};
        if (stepped && clock::magnitude(error) > noticeable) {
            if (!step(error)) return false;
            steered_ = clock::clamp(rate_, limit);
        } else {
            steered_ = clock::clamp(rate_ + clock::rate_of(error, span), limit);
        }
        obeyed_ = true;
        change.modes = ADJ_FREQUENCY | ADJ_MAXERROR | ADJ_ESTERROR | ADJ_STATUS;
        change.freq = static_cast<long>(clock::divide(clock::Wide{steered_.ppt} << 16, 1'000'000));
        change.maxerror = microseconds(keeper.bound(raw));
        change.esterror = microseconds(keeper.bound(raw) / 3);
        change.status = 0;  // no longer unsynchronised; neither PLL nor FLL: we are the loop
        return clock_adjtime(CLOCK_REALTIME, &change) >= 0;
    }

private:
    static constexpr Duration span = std::chrono::seconds(1);
    static constexpr Duration noticeable = std::chrono::microseconds(500);
    static constexpr Rate limit = clock::ppm(500);  // what the kernel takes

    static long microseconds(Duration value) {
        return static_cast<long>(std::chrono::ceil<std::chrono::microseconds>(value).count());
    }

    bool step(Duration by) {
        timex change{};
        change.modes = ADJ_SETOFFSET | ADJ_NANO;
        const auto whole = std::chrono::floor<std::chrono::seconds>(by);
        change.time.tv_sec = whole.count();
        change.time.tv_usec = (by - whole).count();
        return clock_adjtime(CLOCK_REALTIME, &change) >= 0;
    }

    bool obeyed_ = false;
    Duration wanted_{};
    Rate rate_{};
    Time last_{};
};

}  // namespace

std::unique_ptr<Timepiece> make_timepiece(const Config& config) {
    switch (config.clock) {
        case ClockKind::system: return std::make_unique<SystemClock>();
        case ClockKind::virtual_:
            return std::make_unique<VirtualClock>(config.offset, config.drift);
        case ClockKind::none: break;
    }
    return std::make_unique<WatchedClock>();
}

}  // namespace conclave::timed
