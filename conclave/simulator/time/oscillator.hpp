// A clock that nobody corrects: an oscillator with a rate of its own, which walks, swings with the
// temperature and breaks down.
//
// Within each second the rate is constant. Integers only, in 10^-12, so that the finest walk counts
// and every compiler finds the same time.
#pragma once

#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/time/time_scenario.hpp"

namespace conclave::simulator {

class Oscillator {
public:
    Oscillator(Id id, const TimeScenario& scenario, const Decisions& decisions);

    // The time that it shows; real time must not go back by more than the second at hand.
    Time read(Time real);
    clock::Rate rate() const { return rate_; }

private:
    void advance();
    clock::Rate find_rate();
    Duration steps_until(Time real) const;
    Duration stood_until(Time real) const;

    const TimeScenario& scenario_;
    const Decisions& decisions_;
    Id id_;
    clock::Rate walked_{};  // its own rate
    clock::Rate rate_{};    // all in all, this second
    std::int64_t second_ = 0;
    Time begun_{};  // shown at its begin
    std::uint64_t phase_ = 0;
};

// Something normal with this deviation, from 64 random bits; never beyond 3.5 of it.
std::int64_t draw_normal(std::int64_t deviation, std::uint64_t bits);

}  // namespace conclave::simulator
