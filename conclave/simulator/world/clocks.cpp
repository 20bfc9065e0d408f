#include "conclave/simulator/world/clocks.hpp"

#include <algorithm>

#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

constexpr std::int64_t billion = 1'000'000'000;
constexpr Duration segment_length{billion};
constexpr Duration horizon{std::int64_t{1} << 61};    // a wait that no run sees the end of
constexpr Duration foresight{std::int64_t{1} << 45};  // ten hours of wander are worked out ahead
constexpr std::int64_t rate_limit_ppb = billion / 2;  // a clock that wanders never stops

// The span that a clock of this rate shows for a span of real time.
Duration shown(Duration real, std::int64_t rate_ppb) {
    const std::int64_t ns = real.count();
    return Duration{ns + ns / billion * rate_ppb + ns % billion * rate_ppb / billion};
}

// The shortest span of real time for which a clock of this rate shows at least `local`.
Duration needed(Duration local, std::int64_t rate_ppb) {
    const auto per_second = static_cast<std::uint64_t>(billion + rate_ppb);
    const auto ns = static_cast<std::uint64_t>(local.count());
    const std::uint64_t rest = ns % per_second;
    return Duration{static_cast<std::int64_t>(ns / per_second * billion +
                                              (rest * billion + per_second - 1) / per_second)};
}

}  // namespace

Clocks::Clocks(const Scenario& scenario, Decisions& decisions)
    : wander_ppb_(scenario.clocks.wander_ppb),
      foreseen_(decisions.foresees(Purpose::read)),
      decisions_(decisions) {
    const ClockModel& model = scenario.clocks;
    if (model.offset == Duration{0} && model.drift_ppb == 0 && model.wander_ppb == 0 &&
        scenario.node_clocks.empty() && !foreseen_)
        return;
    clocks_.resize(scenario.nodes);
    for (std::uint32_t id = 1; id <= scenario.nodes; ++id) {
        const auto draw = [&](std::int64_t limit, std::uint32_t which) {
            return decisions_.decide({Purpose::clock, Id{id}, nobody, which}, 0,
                                     [&](std::uint64_t bits) { return spread(limit, bits); });
        };
        clocks_[id - 1].offset = Duration{draw(model.offset.count(), 0)};
        clocks_[id - 1].rate_ppb = draw(model.drift_ppb, 1);
    }
    for (const NodeClock& given : scenario.node_clocks)
        clocks_[static_cast<std::uint32_t>(given.node) - 1] = {
            .offset = given.offset, .rate_ppb = given.drift_ppb, .slowdown = given.slowdown};
}

void Clocks::advance(Clock& clock, Id id) {
    clock.begun += shown(segment_length, clock.rate_ppb);
    ++clock.segment;
    if (wander_ppb_ == 0) return;
    const auto which = static_cast<std::uint32_t>(clock.segment + 1);
    const auto step =
        decisions_.decide({Purpose::clock, id, nobody, which}, 0,
                          [&](std::uint64_t bits) { return spread(wander_ppb_, bits); });
    clock.rate_ppb = std::clamp(clock.rate_ppb + step, -rate_limit_ppb, rate_limit_ppb);
}

void Clocks::seek(Clock& clock, Id id, Time real) {
    if (wander_ppb_ == 0) return;  // one segment lasts for ever
    while ((clock.segment + 1) * segment_length <= real) advance(clock, id);
}

Time Clocks::local(std::uint32_t id, Time real) {
    Clock& clock = clocks_[id - 1];
    seek(clock, Id{id}, real);
    const Duration within = shown(real - clock.segment * segment_length, clock.rate_ppb);
    const Time shows =
        clock.offset + (clock.begun + within) / static_cast<std::int64_t>(clock.slowdown);
    if (!foreseen_) return shows;
    return Time{decisions_.decide({Purpose::read, Id{id}, nobody, ++clock.readings}, shows.count(),
                                  [&](std::uint64_t) { return shows.count(); })};
}

Time Clocks::expect(std::uint32_t id, Time real, Duration after) const {
    if (perfect() || after > foresight) return real + after;
    const Clock& clock = clocks_[id - 1];
    return real + needed(after * static_cast<std::int64_t>(clock.slowdown), clock.rate_ppb);
}

Time Clocks::due(std::uint32_t id, Time real, Duration after) {
    Clock& clock = clocks_[id - 1];
    seek(clock, Id{id}, real);
    after = after > horizon / static_cast<std::int64_t>(clock.slowdown)
                ? horizon
                : after * static_cast<std::int64_t>(clock.slowdown);
    if (wander_ppb_ == 0 || after > foresight) return real + needed(after, clock.rate_ppb);
    Clock ahead = clock;
    const Time target =
        clock.begun + shown(real - clock.segment * segment_length, clock.rate_ppb) + after;
    while (ahead.begun + shown(segment_length, ahead.rate_ppb) < target) advance(ahead, Id{id});
    return ahead.segment * segment_length + needed(target - ahead.begun, ahead.rate_ppb);
}

}  // namespace conclave::simulator
