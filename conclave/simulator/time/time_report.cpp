#include <cmath>

#include "conclave/core/text.hpp"
#include "conclave/simulator/scenario/slips.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/simulator/time/time_run.hpp"

namespace conclave::simulator {

double rms_deviation(const TimeOutcome& outcome, Time from) {
    double squares = 0;
    std::uint64_t count = 0;
    for (const Moment& moment : outcome.moments) {
        if (moment.at < from) continue;
        squares += moment.squares;
        count += moment.judged;
    }
    return count == 0 ? 0 : std::sqrt(squares / static_cast<double>(count));
}

Duration widest_spread(const TimeOutcome& outcome, Time from, Time until) {
    Duration widest{};
    for (const Moment& moment : outcome.moments)
        if (moment.at >= from && moment.at < until) widest = std::max(widest, moment.spread);
    return widest;
}

Time settled_within(const TimeOutcome& outcome, Duration spread, Time from) {
    Time since = never;
    for (const Moment& moment : outcome.moments) {
        if (moment.at < from) continue;
        const bool within = moment.judged >= 2 && moment.unset == 0 && moment.spread <= spread;
        if (!within) since = never;
        if (within && since == never) since = moment.at;
    }
    return since;
}

Duration width_at(const BoundsOutcome& bounds, std::size_t hundredths) {
    std::vector<Duration> widths = bounds.widths;
    if (widths.empty()) return {};
    const auto at =
        widths.begin() + static_cast<std::ptrdiff_t>((widths.size() - 1) * hundredths / 100);
    std::nth_element(widths.begin(), at, widths.end());
    return *at;
}

std::uint32_t most_masters(const TimeOutcome& outcome, Time from) {
    std::uint32_t most = 0;
    for (const Moment& moment : outcome.moments)
        if (moment.at >= from) most = std::max(most, moment.masters);
    return most;
}

std::vector<std::string> validate_time(const TimeScenario& scenario) {
    std::vector<std::string> problems = validate(scenario.world);
    if (problems.empty()) problems = find_slips(scenario.world);
    const std::uint32_t nodes = scenario.world.nodes;
    const auto known = [&](std::string_view word, Id id) {
        if (static_cast<std::uint32_t>(id) > nodes)
            problems.push_back(std::string(word) + " names node " + text(id) + ": give 1 to " +
                               text(nodes));
    };
    for (const Breakdown& breakdown : scenario.breakdowns) known("break", breakdown.node);
    for (const Jump& jump : scenario.jumps) known("jump", jump.node);
    for (const Jump& date : scenario.dates) known("date", date.node);
    for (const Stop& stop : scenario.stops) {
        known(stop.asleep ? "suspend" : "freeze", stop.node);
        if (stop.when.until <= stop.when.from)
            problems.push_back(std::string(stop.asleep ? "suspend" : "freeze") + " of node " +
                               text(stop.node) + " ends before it begins: give a later end");
    }
    for (const Lag& lag : scenario.lags) {
        known("lag", lag.from);
        known("lag", lag.to);
    }
    if (scenario.score >= scenario.world.until.value_or(never))
        problems.push_back("score is " + format_duration(scenario.score) +
                           ": give a time before until, which is " +
                           format_duration(*scenario.world.until));
    if (scenario.swing.period > std::chrono::hours(24))
        problems.push_back("swing lasts " + format_duration(scenario.swing.period) +
                           ": give a day at the most");
    return problems;
}

void Excused::add(const Excused& other) {
    looks += other.looks;
    wrong += other.wrong;
    longest = std::max(longest, other.longest);
    worst = std::max(worst, other.worst);
}

std::string_view spell(Excuse excuse) {
    constexpr std::string_view whys[excuses] = {"paused or leapt, and not measured since",
                                                "broke by so little that it may hide in the noise",
                                                "has not heard of the master that reigns",
                                                "no master reigns"};
    return whys[static_cast<std::size_t>(excuse)];
}

std::string excused_text(const BoundsOutcome& bounds) {
    std::string all = text(bounds.untrusting) + " looks at a clock that does not trust itself\n";
    for (std::size_t i = 0; i < excuses; ++i) {
        const Excused& excused = bounds.excused[i];
        all += text(excused.looks) + " looks excused (" +
               std::string(spell(static_cast<Excuse>(i))) + "): " + text(excused.wrong) +
               " outside, for " + format_duration(excused.longest) + " on end and by " +
               format_duration(excused.worst) + " at the most\n";
    }
    return all;
}

std::string excused_json(const BoundsOutcome& bounds) {
    constexpr std::string_view names[excuses] = {"leapt", "broke", "stranger", "masterless"};
    std::string all;
    for (std::size_t i = 0; i < excuses; ++i) {
        const Excused& excused = bounds.excused[i];
        all += (i == 0 ? "" : ",") + quote(std::string(names[i])) +
               ":{\"looks\":" + text(excused.looks) + ",\"outside\":" + text(excused.wrong) +
               ",\"longest_ns\":" + text(excused.longest.count()) +
               ",\"worst_ns\":" + text(excused.worst.count()) + "}";
    }
    return "{" + all + "}";
}

namespace {

std::string number_or_null(Duration value) {
    return value == never ? "null" : std::to_string(value.count());
}

std::string moments_json(const TimeOutcome& outcome) {
    std::string list;
    const auto row = [](const std::vector<Duration>& values) {
        std::string all;
        for (const Duration value : values) all += (all.empty() ? "" : ",") + number_or_null(value);
        return "[" + all + "]";
    };
    for (const Moment& moment : outcome.moments) {
        std::string leading;
        for (const Id id : moment.leading) leading += (leading.empty() ? "" : ",") + text(id);
        list += (list.empty() ? "" : ",\n ") + ("{\"at_ns\":" + text(moment.at.count())) +
                ",\"masters\":" + text(moment.masters) +
                ",\"mean_ns\":" + text(moment.mean.count()) +
                ",\"spread_ns\":" + text(moment.spread.count()) + ",\"leading\":[" + leading +
                "],\"offsets_ns\":" + row(moment.offsets) + ",\"bounds_ns\":" + row(moment.bounds) +
                "}";
    }
    return "[" + list + "]";
}

}  // namespace

std::string to_json(const TimeScenario& scenario, const TimeOutcome& outcome) {
    using namespace std::chrono_literals;
    std::string takeovers, story;
    for (const Takeover& takeover : outcome.takeovers)
        takeovers += (takeovers.empty() ? "" : ",") + ("{\"master\":" + text(takeover.master)) +
                     ",\"at_ns\":" + text(takeover.at.count()) + "}";
    for (const std::string& line : outcome.story)
        story += (story.empty() ? "" : ",\n ") + quote(line);
    return "{\"nodes\":" + text(scenario.world.nodes) + ",\"seed\":" + text(scenario.world.seed) +
           ",\"rms_ns\":" + std::to_string(rms_deviation(outcome, scenario.score)) +
           ",\"spread_ns\":" + text(widest_spread(outcome, scenario.score).count()) +
           ",\"within_100us_at_ns\":" + number_or_null(settled_within(outcome, 100us)) +
           ",\"within_10us_at_ns\":" + number_or_null(settled_within(outcome, 10us)) +
           ",\"masters_at_once\":" + text(most_masters(outcome)) +
           ",\"packets\":" + text(outcome.packets) +
           ",\"slave_seconds\":" + text(outcome.slave_seconds) +
           ",\"steps\":" + text(outcome.steps) + ",\"refusals\":" + text(outcome.refusals) +
           ",\"bounds_judged\":" + text(outcome.bounds.judged) +
           ",\"excursions\":" + text(outcome.bounds.excursions) +
           ",\"excursion_worst_ns\":" + text(outcome.bounds.worst.count()) +
           ",\"untrusting\":" + text(outcome.bounds.untrusting) +
           ",\"excused\":" + excused_json(outcome.bounds) +
           ",\"bound_median_ns\":" + text(width_at(outcome.bounds, 50).count()) +
           ",\"bound_p99_ns\":" + text(width_at(outcome.bounds, 99).count()) + ",\"takeovers\":[" +
           takeovers + "],\n\"story\":[" + story + "],\n\"clocks\":" + moments_json(outcome) +
           "}\n";
}

}  // namespace conclave::simulator
