// Exchanges with a slave whose clock is known, over a path whose delays are drawn from a seed.
#pragma once

#include <cmath>

#include "conclave/clock/estimator.hpp"
#include "conclave/core/key.hpp"

namespace conclave::clock {

class Noise {
public:
    explicit Noise(std::uint64_t seed) : seed_(mix(seed)) {}

    double uniform() { return static_cast<double>((mix(seed_ += 977) >> 11) + 1) * 0x1p-53; }
    double exponential() { return -std::log(uniform()); }
    double normal() { return std::sqrt(2 * exponential()) * std::cos(6.283185307 * uniform()); }

private:
    std::uint64_t seed_;
};

// At `at` on the master's clock, the slave being ahead by `offset`.
inline Exchange exchange_at(Time at, Duration offset, Duration there, Duration back) {
    const Duration pause = std::chrono::microseconds(20);
    return {at, at + there + offset, at + there + offset + pause, at + there + pause + back};
}

// A clock of constant rate seen through delays of 50 us and what `draw` adds, in microseconds.
template <class Draw>
double rms_error(Estimator& estimator, std::uint64_t seed, int samples, const Draw& draw) {
    Noise noise(seed);
    double squares = 0;
    int count = 0;
    const Line truth{Time{0}, std::chrono::milliseconds(20), ppm(43)};
    for (int i = 0; i < samples; ++i) {
        const Time at = i * std::chrono::seconds(1);
        const auto delay = [&](bool there) {
            return Duration{static_cast<std::int64_t>(50'000 + 1000 * draw(noise, there))};
        };
        const Duration there = delay(true), back = delay(false);
        estimator.add(sample_of(exchange_at(at, truth(at), there, back)));
        if (i < samples / 2) continue;
        const auto error = static_cast<double>((estimator.estimate().line(at) - truth(at)).count());
        squares += error * error;
        ++count;
    }
    return std::sqrt(squares / count) / 1000;  // in microseconds
}

}  // namespace conclave::clock
