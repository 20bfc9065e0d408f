#include "conclave/timed/timepiece.hpp"

#include <sys/timex.h>
#include <unistd.h>

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
    Sight look() const override {
        const Time raw = raw_now();
        return {raw, visible_.offset(raw), {}};
    }
    bool obey(const Sight& sight, const clock::Order& order, const KernelErrors&) override {
        visible_.obey(sight.raw, order);
        return true;
    }
    Duration offset(const clock::Keeper&) const override {
        const Time real = net::unix_time(), raw = raw_at(real);
        return raw + visible_.offset(raw) - real;
    }

private:
    clock::Line line_;
    clock::VisibleClock visible_;
};

// The raw clock is CLOCK_MONOTONIC_RAW, which nobody disciplines, set to the time of day once.
class WatchedClock : public Timepiece {
public:
    explicit WatchedClock(Time start) : began_(start - read(CLOCK_MONOTONIC_RAW)) {}

    Time raw_now() const override { return read(CLOCK_MONOTONIC_RAW) + began_; }
    // The stamp is a moment old: over so short a time the clocks run alike but for what they are
    // steered by.
    Time raw_at(Time stamp) const override {
        const Sight now = look();
        const Duration age = now.raw + now.shown - stamp;
        return now.raw - age + clock::over(steered_, age);
    }
    // Of three attempts the one in which the least came between.
    Sight look() const override {
        Sight best{.within = Duration::max()};
        for (int i = 0; i < 3; ++i) {
            const Time before = raw_now(), real = net::unix_time(), after = raw_now();
            const Duration half = (after - before) / 2;
            if (half < best.within) best = {before + half, real - before - half, half};
        }
        return best;
    }
    bool obey(const Sight&, const clock::Order&, const KernelErrors&) override { return true; }
    bool takes_orders() const override { return false; }
    Duration offset(const clock::Keeper& keeper) const override {
        const Sight now = look();
        return now.shown - keeper.line()(now.raw);
    }

protected:
    Rate steered_{};  // of CLOCK_REALTIME against the raw one

private:
    Duration began_;
};

// The kernel's clock. A step is asked for only where the order has one.
class SystemClock final : public WatchedClock {
public:
    explicit SystemClock(Time start) : WatchedClock(start) {
        timex now{};
        if (clock_adjtime(CLOCK_REALTIME, &now) < 0)
            net::fail("ask for the clock's frequency", errno);
        const long nominal = usual_tick();
        ticks_ = now.tick != 0 && now.tick != nominal;
        steered_ = rate_of({now.freq, ticks_ ? now.tick - nominal : 0});
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

    bool takes_orders() const override { return true; }
    bool obey(const Sight&, const clock::Order& order, const KernelErrors& errors) override {
        if (order.step != Duration{0} && !step(order.step)) return false;
        steady_ = order.steady;
        obeyed_ = true;
        return steer(order.rate, errors);
    }

private:
    static long usual_tick() { return 1'000'000 / sysconf(_SC_CLK_TCK); }

    bool steer(Rate rate, std::optional<KernelErrors> errors) {
        const KernelRate asked = kernel_rate(rate);
        steered_ = rate_of(asked);
        timex change{};
        change.modes = ADJ_FREQUENCY;
        change.freq = asked.frequency;
        if (asked.tick != 0 || ticks_) {
            change.modes |= ADJ_TICK;
            change.tick = usual_tick() + asked.tick;
        }
        ticks_ = asked.tick != 0;
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

    bool obeyed_ = false, ticks_ = false;  // its tick is not the usual one
    Rate steady_{};
};

}  // namespace

// Beyond 16 s the kernel itself says that its clock is not synchronised; so do we, or the two would
// contradict each other every second. While the time is unknown there is no bound, and the kernel
// is told the largest.
KernelErrors kernel_errors(const clock::ErrorBound& bound, clock::Trust trust) {
    static constexpr Duration most = std::chrono::seconds(16);
    const bool known = trust != clock::Trust::unknown;
    const auto in_us = [&](Duration value) {
        const Duration least = known ? std::min(value, most) : most;
        return static_cast<long>(std::chrono::ceil<std::chrono::microseconds>(least).count());
    };
    return {in_us(bound.total()), in_us(bound.estimate / 3 + bound.slew + bound.visible),
            !known || bound.total() >= most};
}

KernelRate kernel_rate(Rate rate) {
    const Rate taken = clock::clamp(rate, clock::fastest_slew);
    KernelRate asked;
    if (clock::magnitude(taken) > clock::ppm(500))
        asked.tick = clock::divide(taken.ppt, clock::ppm(100).ppt);
    const Rate rest = taken - asked.tick * clock::ppm(100);
    asked.frequency = static_cast<long>(clock::divide(clock::Wide{rest.ppt} << 16, 1'000'000));
    return asked;
}

Rate rate_of(const KernelRate& asked) {
    return Rate{clock::divide(clock::Wide{asked.frequency} * 1'000'000, 1 << 16)} +
           asked.tick * clock::ppm(100);
}

// A clock that starts too early would take part in the vote about the network's time.
std::unique_ptr<Timepiece> make_timepiece(const DaemonConfig& config) {
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
