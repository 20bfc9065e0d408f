#include "conclave/simulator/time/oscillator.hpp"

#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

constexpr Duration second{1'000'000'000};

}  // namespace

// The sum of four uniform draws.
std::int64_t draw_normal(std::int64_t deviation, std::uint64_t bits) {
    std::int64_t sum = -131'070;
    for (int i = 0; i < 4; ++i) sum += static_cast<std::int64_t>(bits >> (16 * i) & 0xffff);
    return clock::divide(clock::Wide{deviation} * sum, 37'837);
}

// Offset and drift are drawn as simulator::Clocks draws them, on which the election's timers run.
Oscillator::Oscillator(Id id, const TimeScenario& scenario, const Decisions& decisions)
    : scenario_(scenario), decisions_(decisions), id_(id) {
    const ClockModel& model = scenario.world.clocks;
    begun_ =
        Duration{spread(model.offset.count(), decisions.bits({Purpose::clock, id, nobody, 0}))};
    walked_ = clock::ppb(spread(model.drift_ppb, decisions.bits({Purpose::clock, id, nobody, 1})));
    for (const NodeClock& given : scenario.world.node_clocks)
        if (given.node == id) {
            begun_ = given.offset;
            walked_ = clock::ppb(given.drift_ppb);
        }
    phase_ = decisions.bits({Purpose::clock, id, id, 0}) % 1'000'000;
    rate_ = find_rate();
}

clock::Rate Oscillator::find_rate() {
    clock::Rate rate = walked_;
    if (scenario_.swing.rate.ppt != 0) {
        // Two parabolas for a sine.
        const std::int64_t period = std::max<std::int64_t>(scenario_.swing.period / second, 2);
        const std::int64_t part =
            (second_ * 1'000'000 / period + static_cast<std::int64_t>(phase_)) % 1'000'000;
        const std::int64_t half = part % 500'000;
        const std::int64_t high =
            scenario_.swing.rate.ppt / 1000 * (half * (500'000 - half) / 62'500) / 1000;
        rate.ppt += part < 500'000 ? high : -high;
    }
    const Time now = second_ * second;
    for (const Breakdown& breakdown : scenario_.breakdowns)
        if (breakdown.node == id_ && breakdown.at <= now) rate = rate + breakdown.rate;
    return rate;
}

void Oscillator::advance() {
    begun_ += second + clock::over(rate_, second);
    ++second_;
    const auto count = static_cast<std::uint32_t>(second_ + 1);
    walked_.ppt +=
        draw_normal(scenario_.walk.ppt, decisions_.bits({Purpose::clock, id_, everyone, count}));
    rate_ = find_rate();
}

Duration Oscillator::steps_until(Time real) const {
    Duration steps{};
    for (const Breakdown& breakdown : scenario_.breakdowns) {
        if (breakdown.node != id_ || real < breakdown.at) continue;
        const std::int64_t times =
            breakdown.every == Duration{0} ? 1 : 1 + (real - breakdown.at) / breakdown.every;
        steps += times * breakdown.step;
    }
    return steps;
}

Duration Oscillator::stood_until(Time real) const {
    Duration stood{};
    for (const Stop& stop : scenario_.stops)
        if (stop.node == id_ && stop.when.from < real)
            stood += std::min(real, stop.when.until) - stop.when.from;
    return stood;
}

Time Oscillator::read(Time real) {
    while ((second_ + 1) * second <= real) advance();
    const Duration within = real - second_ * second;
    return begun_ + within + clock::over(rate_, within) + steps_until(real) - stood_until(real);
}

}  // namespace conclave::simulator
