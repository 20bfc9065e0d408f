#include "conclave/simulator/time_storm.hpp"

#include <array>
#include <utility>

#include "conclave/core/key.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/draws.hpp"

namespace conclave::simulator {

namespace {

using namespace std::chrono_literals;

constexpr Time storm_ends = 2min;
constexpr Time storm_begins = 30s;  // until all clocks are known

class TimeStorm {
public:
    explicit TimeStorm(std::uint64_t seed) : state_(mix(seed ^ 0x636c6f636b73)) {
        s_.world.seed = seed;
    }

    TimeScenario brew() {
        s_.world.nodes = 2 + static_cast<std::uint32_t>(below(6));
        s_.world.until = storm_ends;
        s_.look = 250ms;
        pick_clocks();
        pick_paths();
        pick_policy();
        for (std::uint64_t left = below(5); left > 0; --left) strike();
        return s_;
    }

private:
    std::uint64_t below(std::uint64_t n) {
        state_ = mix(state_);
        return simulator::below(n, state_);
    }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    Duration pick_within(Duration low, Duration high) {
        return low + Duration{static_cast<std::int64_t>(
                         below(static_cast<std::uint64_t>((high - low).count())))};
    }
    // As likely small as large.
    Duration pick_size(Duration least, int doublings) {
        return least * (std::int64_t{1} << below(static_cast<std::uint64_t>(doublings)));
    }
    Duration pick_sign(Duration size) { return one_in(2) ? size : -size; }
    Id pick_node() { return Id{static_cast<std::uint32_t>(below(s_.world.nodes)) + 1}; }

    void pick_clocks() {
        s_.world.clocks.offset = one_in(4) ? Duration{0} : pick_size(1ms, 11);
        s_.world.clocks.drift_ppb = static_cast<std::int64_t>(below(100'000));
        s_.walk = clock::ppb(static_cast<std::int64_t>(below(4)));
        if (one_in(4)) s_.swing = {clock::ppb(static_cast<std::int64_t>(below(1000))), 10min};
    }
    void pick_paths() {
        using Shape = Jitter::Shape;
        s_.path = pick_size(20us, 6);
        constexpr Shape shapes[] = {Shape::none,     Shape::exponential, Shape::uniform,
                                    Shape::gaussian, Shape::burst,       Shape::one_way};
        s_.jitter = {shapes[below(std::size(shapes))], pick_size(1us, 8)};
        if (s_.jitter.shape == Shape::gaussian)
            s_.jitter.size = std::min(s_.jitter.size, s_.path / 4);
        for (std::uint64_t left = below(4); left > 0; --left)
            if (const Id from = pick_node(), to = pick_node(); from != to)
                s_.lags.push_back({from, to, pick_within(0us, 2 * s_.path)});
        if (one_in(2)) s_.world.loss = {below((std::uint64_t{1} << 32) * 3 / 10)};
    }
    void pick_policy() {
        constexpr std::int64_t limits[] = {500, 50'000, 100'000};
        s_.slew_limit = clock::ppm(limits[below(std::size(limits))]);
        if (one_in(4)) s_.step.corrections = 0;
        if (one_in(4)) s_.step.beyond = 10ms;
        if (one_in(8)) s_.step.backwards = false;
    }

    void strike() {
        const Id id = pick_node();
        const Time at = pick_within(storm_begins, storm_ends - 20s);
        const Time until = std::min<Time>(at + pick_size(500ms, 7), storm_ends);
        switch (below(9)) {
            case 0:
                if (std::exchange(crashed_[static_cast<std::uint32_t>(id)], true)) break;
                s_.world.crashes.push_back({id, at});
                if (until < storm_ends) s_.world.recoveries.push_back({id, until, true});
                break;
            case 1: s_.world.partitions.push_back({{{id}}, {at, until}}); break;
            case 2: split(at, until); break;
            case 3: s_.world.pauses.push_back({id, {at, until}}); break;
            case 4: s_.stops.push_back({id, {at, until}, true}); break;
            case 5: s_.stops.push_back({id, {at, until}, false}); break;
            case 6: s_.jumps.push_back({id, at, pick_sign(pick_size(1ms, 22))}); break;
            case 7: s_.breakdowns.push_back({.node = id, .at = at, .rate = pick_rate()}); break;
            default:
                s_.breakdowns.push_back(
                    {.node = id, .at = at, .step = pick_sign(pick_size(10us, 17))});
        }
    }
    clock::Rate pick_rate() {
        const clock::Rate rate = clock::ppm(std::int64_t{1} << below(10));
        return one_in(2) ? rate : -rate;
    }
    void split(Time at, Time until) {
        std::vector<Id> part;
        for (std::uint32_t id = 1; id <= s_.world.nodes; ++id)
            if (one_in(2)) part.push_back(Id{id});
        if (!part.empty() && part.size() < s_.world.nodes)
            s_.world.partitions.push_back({{part}, {at, until}});
    }

    TimeScenario s_ = usual_time_scenario();
    std::uint64_t state_;
    std::array<bool, 8> crashed_{};
};

}  // namespace

TimeScenario random_time_scenario(std::uint64_t seed) { return TimeStorm(seed).brew(); }

void StormSummary::add(std::uint64_t seed) {
    const TimeOutcome outcome = run_time(random_time_scenario(seed));
    ++runs;
    bounds.judged += outcome.bounds.judged;
    bounds.excursions += outcome.bounds.excursions;
    bounds.worst = std::max(bounds.worst, outcome.bounds.worst);
    bounds.widths.push_back(width_at(outcome.bounds, 50));
    widest.push_back(width_at(outcome.bounds, 99));
    if (outcome.bounds.excursions != 0) failing.push_back(seed);
}

std::string to_text(const StormSummary& summary) {
    const BoundsOutcome widest{.widths = summary.widest};
    std::string seeds;
    for (const std::uint64_t seed : summary.failing) seeds += " " + text(seed);
    return text(summary.runs) + " networks, " + text(summary.bounds.judged) +
           " looks at a clock that trusts itself: the truth was outside of its bound " +
           text(summary.bounds.excursions) + " times, by " + format_duration(summary.bounds.worst) +
           " at the most\nwidth of the bounds: " + format_duration(width_at(summary.bounds, 50)) +
           " in the middle, p99 " + format_duration(width_at(widest, 50)) +
           " (of the median network)\n" +
           (seeds.empty() ? "" : "seeds with one outside:" + seeds + "\n");
}

std::string to_json(const StormSummary& summary) {
    const BoundsOutcome widest{.widths = summary.widest};
    std::string seeds;
    for (const std::uint64_t seed : summary.failing)
        seeds += (seeds.empty() ? "" : ",") + text(seed);
    return "{\"runs\":" + text(summary.runs) + ",\"bounds_judged\":" + text(summary.bounds.judged) +
           ",\"excursions\":" + text(summary.bounds.excursions) +
           ",\"excursion_worst_ns\":" + text(summary.bounds.worst.count()) +
           ",\"bound_median_ns\":" + text(width_at(summary.bounds, 50).count()) +
           ",\"bound_p99_ns\":" + text(width_at(widest, 50).count()) + ",\"failing\":[" + seeds +
           "]}";
}

}  // namespace conclave::simulator
