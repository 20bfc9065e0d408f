// Makes a clock that takes orders, the kernel's or a model of it, show what the servo shows.
//
// An order is a rate that holds until the next one, and at times a step. What was ordered is
// remembered, so a clock that is elsewhere has been moved by somebody else, or the raw clock stood
// still meanwhile: CLOCK_MONOTONIC_RAW does so while a machine sleeps. From the two clocks alone
// the one cannot be told from the other.
#pragma once

#include "conclave/clock/servo.hpp"

namespace conclave::clock {

struct Order {
    Duration step{};
    Rate rate{};    // against the raw clock, until the next order
    Rate steady{};  // at which the clock can be left alone
};

class Steering {
public:
    // Beyond this a clock has not strayed, it was moved. Kernels apply an order at the next tick,
    // and at the fastest slew that is a millisecond.
    static constexpr Duration most_strayed = std::chrono::milliseconds(2);

    // Where the clock is beside where it was ordered to; `shown`: it minus the raw one, now.
    Duration strayed(Time raw, Duration shown) const {
        return ordered_ ? shown - expected_(raw) : Duration{0};
    }
    // To be carried out at once.
    Order next(Time raw, Duration shown, const Servo& servo) {
        const Duration wanted = servo.offset(raw), error = wanted - shown;
        Order order{{}, rate_of(servo.offset(raw + span) - wanted, span), servo.steady()};
        if (servo.leaps() != leaps_ && magnitude(error) > slewed_anyway)
            order.step = error;
        else
            order.rate = order.rate + clamp(rate_of(error, span), servo.limit());
        order.rate = clamp(order.rate, fastest_slew);
        leaps_ = servo.leaps();
        ordered_ = true;
        expected_ = {raw, shown + order.step, order.rate};
        return order;
    }
    // The clock was read, and nobody steers it: it is expected to run on like the raw one.
    void watch(Time raw, Duration shown) {
        ordered_ = true;
        expected_ = {raw, shown, {}};
    }

private:
    static constexpr Duration span = std::chrono::seconds(1);
    static constexpr Duration slewed_anyway = std::chrono::microseconds(500);

    Line expected_{};
    bool ordered_ = false;
    std::uint32_t leaps_ = 0;
};

// A clock that does as it is ordered, and that anybody can move.
class VisibleClock {
public:
    Duration offset(Time raw) const { return line_(raw); }  // minus the raw one
    void obey(Time raw, const Order& order) { line_ = {raw, line_(raw) + order.step, order.rate}; }
    void move(Duration by) { line_.offset += by; }

private:
    Line line_{};
};

}  // namespace conclave::clock
