#include "conclave/timed/timepiece.hpp"

#include <sys/timex.h>

#include <cerrno>
#include <ctime>
#include <optional>

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
    Duration beside(const clock::Keeper&) const override { return {}; }

private:
    clock::Line line_;
};

// The raw clock is CLOCK_MONOTONIC_RAW, which nobody disciplines, set to the time of day once.
class WatchedClock : public Timepiece {
public:
    explicit WatchedClock(Time start) : began_(start - read(CLOCK_MONOTONIC_RAW)) {}

    Time raw_now() const override { return read(CLOCK_MONOTONIC_RAW) + began_; }
    // The stamp is a moment old: over so short a time the clocks run alike but for what they are
    // steered by.
    Time raw_at(Time stamp) const override {
        const Both now = read_both();
        const Duration age = now.real - stamp;
        return now.raw - age + clock::over(steered_, age);
    }
    bool obey(const clock::Keeper&) override { return true; }
    Duration offset(const clock::Keeper& keeper) const override {
        const Both now = read_both();
        return now.real - now.raw - keeper.line()(now.raw);
    }
    Duration beside(const clock::Keeper& keeper) const override {
        const Both now = read_both();
        return now.real - keeper.read(now.raw);
    }

protected:
    struct Both {
        Time raw, real;
    };
    // At one moment: of three attempts the one in which the least came between.
    Both read_both() const {
        Both best{};
        Duration least = Duration::max();
        for (int i = 0; i < 3; ++i) {
            const Time before = raw_now(), real = net::unix_time(), after = raw_now();
            if (after - before >= least) continue;
            least = after - before;
            best = {before + least / 2, real};
        }
        return best;
    }

    Rate steered_{};  // of CLOCK_REALTIME against the raw one

private:
    Duration began_;
};

// Steers the kernel's clock by its frequency alone. A step is taken only where the keeper's own
// clock took one, and an error is removed in about a second like the keeper's.
class SystemClock final : public WatchedClock {
public:
    explicit SystemClock(Time start) : WatchedClock(start) {
        timex now{};
        if (clock_adjtime(CLOCK_REALTIME, &now) < 0)
            net::fail("ask for the clock's frequency", errno);
        steered_ = {clock::divide(clock::Wide{now.freq} * 1'000'000, 1 << 16)};
        timex same{};
        same.modes = ADJ_FREQUENCY;
        same.freq = now.freq;
        if (clock_adjtime(CLOCK_REALTIME, &same) < 0)
            net::fail("steer this machine's clock (CAP_SYS_TIME is needed, or --clock virtual)",
                      errno);
    }
    // Nobody would end a slew: it goes on at the network's rate.
    ~SystemClock() override {
        if (obeyed_) steer(steady_, std::nullopt);
    }
    SystemClock(const SystemClock&) = delete;
    SystemClock& operator=(const SystemClock&) = delete;

    bool obey(const clock::Keeper& keeper) override {
        if (!keeper.is_set()) return true;
        const auto [raw, real] = read_both();
        const clock::Servo& servo = keeper.servo();
        const Duration wanted = servo.offset(raw);
        const Duration error = raw + wanted - real;
        Rate rate = clock::rate_of(servo.offset(raw + span) - wanted, span);
        const bool stepped = !obeyed_ || servo.steps() != steps_;
        if (stepped && clock::magnitude(error) > noticeable) {
            if (!step(error)) return false;
        } else {
            rate = rate + clock::rate_of(error, span);
        }
        steps_ = servo.steps();
        steady_ = keeper.line().rate;
        obeyed_ = true;
        return steer(rate, kernel_errors(keeper.error_bound(raw, error), keeper.trust(raw)));
    }

private:
    static constexpr Duration span = std::chrono::seconds(1);
    static constexpr Duration noticeable = std::chrono::microseconds(500);
    static constexpr Rate limit = clock::ppm(500);  // what the kernel takes

    bool steer(Rate rate, std::optional<KernelErrors> errors) {
        steered_ = clock::clamp(rate, limit);
        timex change{};
        change.modes = ADJ_FREQUENCY;
        change.freq = static_cast<long>(clock::divide(clock::Wide{steered_.ppt} << 16, 1'000'000));
        if (errors) {
            change.modes |= ADJ_MAXERROR | ADJ_ESTERROR | ADJ_STATUS;
            change.maxerror = errors->maximum_us;
            change.esterror = errors->estimated_us;
            // Neither PLL nor FLL: we are the loop.
            change.status = errors->unsynchronised ? STA_UNSYNC : 0;
        }
        return clock_adjtime(CLOCK_REALTIME, &change) >= 0;
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
    std::uint32_t steps_ = 0;
    Rate steady_{};
};

}  // namespace

// Beyond 16 s the kernel itself says that its clock is not synchronised; so do we, or the two would
// contradict each other every second.
KernelErrors kernel_errors(const clock::ErrorBound& bound, clock::Trust trust) {
    static constexpr Duration most = std::chrono::seconds(16);
    const auto in_us = [](Duration value) {
        const Duration least = std::min(value, most);
        return static_cast<long>(std::chrono::ceil<std::chrono::microseconds>(least).count());
    };
    return {in_us(bound.total()), in_us(bound.estimate / 3 + bound.slew + bound.visible),
            trust == clock::Trust::unknown || bound.total() >= most};
}

// A clock that starts too early would take part in the vote about the network's time.
std::unique_ptr<Timepiece> make_timepiece(const Config& config) {
    const Time now = net::unix_time(), start = std::max(now, config.not_before);
    switch (config.clock) {
        case ClockKind::system: return std::make_unique<SystemClock>(start);
        case ClockKind::virtual_:
            return std::make_unique<VirtualClock>(std::max(config.offset, config.not_before - now),
                                                  config.drift);
        case ClockKind::none: break;
    }
    return std::make_unique<WatchedClock>(start);
}

}  // namespace conclave::timed
