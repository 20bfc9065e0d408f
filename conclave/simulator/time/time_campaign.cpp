#include "conclave/simulator/time/time_campaign.hpp"

#include <cmath>
#include <utility>

#include "conclave/clock/marzullo.hpp"
#include "conclave/core/check.hpp"
#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

using namespace std::chrono_literals;
using Kind = BadMaster::Kind;

constexpr Time breaks_at = 200s;

TimeScenario cold_start(std::uint64_t seed) {
    TimeScenario scenario = usual_time_scenario();
    const std::string problem = read_time_scenario(
        scenario,
        "nodes = 5\ndrift = 50\nwalk = 0.001\njitter = 'exp:10us'\noffset = '50ms'\n"
        "until = '400s'\nlook = '250ms'\n",
        "campaign");
    check(problem.empty(), problem.c_str());
    scenario.world.seed = seed;
    return scenario;
}

// From low to high, each power of two as likely as the next.
std::int64_t draw_size(std::int64_t low, std::int64_t high, std::uint64_t bits) {
    std::uint64_t doublings = 1;
    while (low << doublings < high) ++doublings;
    const std::int64_t size = low << below(doublings, bits);
    const auto more = below(static_cast<std::uint64_t>(size), mix(bits));
    return std::min(size + static_cast<std::int64_t>(more), high);
}

Id master_after(TimeScenario scenario, Time time) {
    scenario.world.until = time;
    return run_time(scenario).takeovers.back().master;
}

}  // namespace

BadMaster draw_bad_master(std::uint64_t seed) {
    BadMaster bad{static_cast<Kind>(seed % 4), nobody, cold_start(seed)};
    bad.node = master_after(bad.scenario, 20s);
    const std::uint64_t bits = mix(seed * 7919);
    const std::int64_t sign = seed / 4 % 2 == 0 ? 1 : -1;
    const auto rate = [&](std::int64_t low, std::int64_t high) {
        return clock::ppm(sign * draw_size(low, high, bits));
    };
    const auto milliseconds = [&](std::int64_t low) {
        return sign * draw_size(low, 3'600'000, bits) * Duration{1ms};
    };
    auto& breakdowns = bad.scenario.breakdowns;
    switch (bad.kind) {
        case Kind::fast_from_the_start:
            breakdowns.push_back({bad.node, 0s, rate(200, 4500)});
            breakdowns.push_back({bad.node, breaks_at, rate(50, 500)});
            break;
        case Kind::breaks: breakdowns.push_back({bad.node, breaks_at, rate(200, 5000)}); break;
        case Kind::leaps: breakdowns.push_back({bad.node, breaks_at, {}, milliseconds(1)}); break;
        case Kind::jump: bad.scenario.jumps.push_back({bad.node, breaks_at, milliseconds(3)});
    }
    if (seed / 8 % 2 == 0) return bad;
    const Time crash = breaks_at + 20s + Duration{1s} * static_cast<std::int64_t>(mix(bits) % 31);
    bad.scenario.world.crashes.push_back({master_after(bad.scenario, crash), crash});
    return bad;
}

namespace {

std::size_t slot_of(Id id) { return static_cast<std::uint32_t>(id) - 1; }

// Their mean, in us of real time.
double mean_of_others(const Moment& moment, Id bad) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < moment.offsets.size(); ++i) {
        if (i == slot_of(bad) || moment.offsets[i] == absent) continue;
        sum += static_cast<double>(moment.offsets[i].count()) / 1e3;
        ++count;
    }
    return sum / count;
}

// Does its clock lie in the interval in which most of the others agree?
bool is_in_place(const Moment& moment, Id bad) {
    std::vector<clock::Interval> others;
    for (std::size_t i = 0; i < moment.offsets.size(); ++i)
        if (i != slot_of(bad) && moment.offsets[i] != absent && moment.bounds[i] != absent)
            others.push_back(
                clock::Interval::around(moment.offsets[i].count(), moment.bounds[i].count()));
    const Duration mine = moment.offsets[slot_of(bad)];
    const auto place = clock::majority_place(others);
    return place && mine != absent && clock::Interval::around(mine.count(), 0).meets(*place);
}

// For how long, without a break, until then.
Duration time_in_place(const TimeOutcome& outcome, Id bad, Time until) {
    Time since = until;
    for (auto at = outcome.moments.rbegin(); at != outcome.moments.rend(); ++at) {
        if (at->at > until) continue;
        if (!is_in_place(*at, bad)) break;
        since = at->at;
    }
    return until - since;
}

double rate_change(const TimeOutcome& outcome, Id bad) {
    const auto mean_at = [&](Time time) {
        for (const Moment& moment : outcome.moments)
            if (moment.at >= time) return mean_of_others(moment, bad);
        return 0.0;
    };
    const double usual = (mean_at(breaks_at - 1s) - mean_at(breaks_at - 101s)) / 100;
    double most = 0;
    for (Time time = 20s; time < 389s; time += 1s)
        most = std::max(most, std::abs((mean_at(time + 10s) - mean_at(time)) / 10 - usual));
    return most;
}

}  // namespace

BadMasterOutcome run_bad_master(const BadMaster& bad) {
    const TimeOutcome outcome = run_time(bad.scenario);
    BadMasterOutcome result;
    result.rate_change_ppm = rate_change(outcome, bad.node);
    result.judged = outcome.bounds.judged;
    result.excursions = outcome.bounds.excursions;
    bool led = false;
    for (const Takeover& takeover : outcome.takeovers) {
        if (takeover.master != bad.node) {
            result.resigned = result.resigned || led;
        } else if (std::exchange(led, true)) {
            ++result.led_again;
            result.in_place =
                std::min(result.in_place, time_in_place(outcome, bad.node, takeover.at));
        }
    }
    return result;
}

}  // namespace conclave::simulator
