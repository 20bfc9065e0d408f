#include "conclave/simulator/time/time_campaign.hpp"

#include <cmath>

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
        "until = '400s'\n",
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

}  // namespace

BadMaster draw_bad_master(std::uint64_t seed) {
    BadMaster bad{static_cast<Kind>(seed % 3), nobody, cold_start(seed)};
    TimeScenario sound = bad.scenario;
    sound.world.until = 20s;
    bad.node = run_time(sound).takeovers.back().master;
    const std::uint64_t bits = mix(seed * 7919);
    const std::int64_t sign = seed / 3 % 2 == 0 ? 1 : -1;
    const auto rate = [&](std::int64_t low, std::int64_t high) {
        return clock::ppm(sign * draw_size(low, high, bits));
    };
    auto& breakdowns = bad.scenario.breakdowns;
    switch (bad.kind) {
        case Kind::fast_from_the_start:
            breakdowns.push_back({bad.node, 0s, rate(200, 4500)});
            breakdowns.push_back({bad.node, breaks_at, rate(50, 500)});
            break;
        case Kind::breaks: breakdowns.push_back({bad.node, breaks_at, rate(200, 5000)}); break;
        case Kind::is_set:
            breakdowns.push_back(
                {bad.node, breaks_at, {}, sign * draw_size(1, 3'600'000, bits) * Duration{1ms}});
    }
    return bad;
}

BadMasterOutcome run_bad_master(const BadMaster& bad) {
    const TimeOutcome outcome = run_time(bad.scenario);
    BadMasterOutcome result;
    // The mean of the others, in us of real time.
    const auto mean_at = [&](Time time) {
        for (const Moment& moment : outcome.moments) {
            if (moment.at < time) continue;
            double sum = 0;
            for (std::size_t i = 0; i < moment.offsets.size(); ++i)
                if (Id{static_cast<std::uint32_t>(i) + 1} != bad.node)
                    sum += static_cast<double>(moment.offsets[i].count()) / 1e3;
            return sum / static_cast<double>(moment.offsets.size() - 1);
        }
        return 0.0;
    };
    const double usual = (mean_at(breaks_at - 1s) - mean_at(breaks_at - 101s)) / 100;
    for (Time time = 20s; time < 389s; time += 1s)
        result.rate_change_ppm = std::max(
            result.rate_change_ppm, std::abs((mean_at(time + 10s) - mean_at(time)) / 10 - usual));
    for (const Takeover& takeover : outcome.takeovers) {
        if (takeover.at < breaks_at) continue;
        result.resigned = result.resigned || takeover.master != bad.node;
        if (takeover.master == bad.node && result.led_again == never)
            result.led_again = takeover.at - breaks_at;
    }
    return result;
}

}  // namespace conclave::simulator
