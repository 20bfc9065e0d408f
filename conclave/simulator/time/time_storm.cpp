#include "conclave/simulator/time/time_storm.hpp"

#include <array>
#include <utility>

#include "conclave/core/key.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

using namespace std::chrono_literals;

constexpr Time usually_ends = 2min;
constexpr Time long_ends = 15min;   // of which ten establish the network's time
constexpr Time storm_begins = 30s;  // until all clocks are known

class TimeStorm {
public:
    explicit TimeStorm(std::uint64_t seed) : state_(mix(seed ^ 0x636c6f636b73)) {
        s_.world.seed = seed;
    }

    TimeScenario brew() {
        s_.world.nodes = 2 + static_cast<std::uint32_t>(below(6));
        s_.world.until = ends_ = one_in(16) ? long_ends : usually_ends;
        s_.look = 250ms;
        pick_clocks();
        pick_paths();
        pick_policy();
        pick_starts();
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
        if (one_in(4))  // one is far off, by up to an hour
            s_.world.node_clocks.push_back(
                {.node = pick_node(), .offset = pick_sign(pick_size(2s, 11)), .drift_ppb = 0});
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

    // Some come late, and so to a network that has a time already. They do not crash.
    void pick_starts() {
        if (!one_in(3)) return;
        for (std::uint32_t id = 1; id <= s_.world.nodes; ++id)
            if (one_in(2)) {
                s_.world.starts.push_back({Id{id}, pick_within(1s, 80s)});
                crashed_[id] = true;
            }
    }

    void strike() {
        const Id id = pick_node();
        const Time at = pick_within(storm_begins, ends_ - 20s);
        const Time until =
            std::min<Time>(at + pick_size(500ms, ends_ == long_ends ? 10 : 7), ends_);
        switch (below(12)) {
            case 0:
                if (std::exchange(crashed_[static_cast<std::uint32_t>(id)], true)) break;
                s_.world.crashes.push_back({id, at});
                if (until < ends_) s_.world.recoveries.push_back({id, until, true});
                break;
            case 1: s_.world.partitions.push_back({{{id}}, {at, until}}); break;
            case 2: split(at, until); break;
            case 3: s_.world.pauses.push_back({id, {at, until}}); break;
            case 4: s_.stops.push_back({id, {at, until}, true}); break;
            case 5: s_.stops.push_back({id, {at, until}, false}); break;
            case 6: s_.jumps.push_back({id, at, pick_sign(pick_size(1ms, 22))}); break;
            case 7: reroute(id, at, one_in(2) ? until : never); break;
            case 8: suspend_all(at, until); break;
            case 9: s_.breakdowns.push_back({.node = id, .at = at, .rate = pick_rate()}); break;
            case 10: s_.dates.push_back({id, at, pick_sign(pick_size(1ms, 22))}); break;
            default:
                s_.breakdowns.push_back(
                    {.node = id, .at = at, .step = pick_sign(pick_size(10us, 17))});
        }
    }
    clock::Rate pick_rate() {
        const clock::Rate rate = clock::ppm(std::int64_t{1} << below(10));
        return one_in(2) ? rate : -rate;
    }
    void suspend_all(Time at, Time until) {
        for (std::uint32_t id = 1; id <= s_.world.nodes; ++id)
            s_.stops.push_back({Id{id}, {at, until}, true});
    }
    // Packets of this node, to one other or to all, take another way.
    void reroute(Id id, Time at, Time until) {
        const Id only = one_in(2) ? pick_node() : nobody;
        const Duration detour = pick_size(10us, 8);
        for (std::uint32_t other = 1; other <= s_.world.nodes; ++other)
            if (Id{other} != id && (only == nobody || only == Id{other}))
                s_.lags.push_back({id, Id{other}, detour, {at, until}});
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
    Time ends_{};
    std::array<bool, 8> crashed_{};
};

}  // namespace

TimeScenario random_time_scenario(std::uint64_t seed) { return TimeStorm(seed).brew(); }

std::size_t WidthTally::place_of(Duration width) {
    const auto size = static_cast<std::uint64_t>(std::max(width, Duration{0}).count());
    if (size >> fine == 0) return size;
    const auto shift = static_cast<unsigned>(std::bit_width(size)) - fine - 1;
    return (std::size_t{shift} << fine) + (size >> shift);
}

Duration WidthTally::at(std::uint64_t ten_thousandths) const {
    std::uint64_t all = 0, seen = 0;
    for (const std::uint64_t count : counts_) all += count;
    for (std::uint64_t place = 0; place < counts_.size(); ++place) {
        seen += counts_[place];
        if (counts_[place] == 0 || seen * 10'000 < all * ten_thousandths) continue;
        if (place >> fine == 0) return Duration{static_cast<std::int64_t>(place)};
        const std::uint64_t shift = (place >> fine) - 1;
        const std::uint64_t next = (place - (shift << fine) + 1) << shift;
        return Duration{static_cast<std::int64_t>(next - 1)};
    }
    return {};
}

void StormSummary::add(std::uint64_t seed) {
    const TimeOutcome outcome = run_time(random_time_scenario(seed));
    ++runs;
    bounds.judged += outcome.bounds.judged;
    bounds.excursions += outcome.bounds.excursions;
    bounds.untrusting += outcome.bounds.untrusting;
    for (std::size_t i = 0; i < excuses; ++i) bounds.excused[i].add(outcome.bounds.excused[i]);
    bounds.worst = std::max(bounds.worst, outcome.bounds.worst);
    for (const Duration width : outcome.bounds.widths) all.add(width);
    for (const Duration doubt : outcome.bounds.doubts) doubts.add(doubt);
    bounds.widths.push_back(width_at(outcome.bounds, 50));
    widest.push_back(width_at(outcome.bounds, 99));
    if (outcome.bounds.excursions != 0) failing.push_back(seed);
}

namespace {

std::string spell(const WidthTally& tally) {
    return "median " + format_duration(tally.at(5'000)) + ", p99 " +
           format_duration(tally.at(9'900));
}

}  // namespace

std::string to_text(const StormSummary& summary) {
    const BoundsOutcome widest{.widths = summary.widest};
    std::string seeds;
    for (const std::uint64_t seed : summary.failing) seeds += " " + text(seed);
    return text(summary.runs) + " networks, " + text(summary.bounds.judged) +
           " looks at a clock that trusts itself: the truth was outside of its bound " +
           text(summary.bounds.excursions) + " times, by " + format_duration(summary.bounds.worst) +
           " at the most\n" + excused_text(summary.bounds) +
           "width of the bounds: " + format_duration(width_at(summary.bounds, 50)) +
           " in the middle, p99 " + format_duration(width_at(widest, 50)) +
           " (of the median network)\nof all looks: " + spell(summary.all) +
           "; without the distance that the clock knows of: " + spell(summary.doubts) + "\n" +
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
           ",\"untrusting\":" + text(summary.bounds.untrusting) +
           ",\"excused\":" + excused_json(summary.bounds) +
           ",\"bound_median_ns\":" + text(width_at(summary.bounds, 50).count()) +
           ",\"bound_p99_ns\":" + text(width_at(widest, 50).count()) +
           ",\"bound_median_of_all_ns\":" + text(summary.all.at(5'000).count()) +
           ",\"bound_p99_of_all_ns\":" + text(summary.all.at(9'900).count()) +
           ",\"doubt_median_of_all_ns\":" + text(summary.doubts.at(5'000).count()) +
           ",\"doubt_p99_of_all_ns\":" + text(summary.doubts.at(9'900).count()) + ",\"failing\":[" +
           seeds + "]}";
}

}  // namespace conclave::simulator
