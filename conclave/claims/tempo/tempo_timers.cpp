// Claims on TEMPO's timers: how often candidates collide (T5, T16), and what goes wrong with an
// impatient slave or a master that only paused (T17).
#include <cmath>

#include "conclave/claims/tempo/tempo_claims.hpp"
#include "conclave/claims/tempo/tempo_scenes.hpp"
#include "conclave/simulator/campaign/statistics.hpp"

namespace conclave::claims::tempo {

namespace {

constexpr Duration delta = 1ms;  // an Election is on its way for so long

double ratio(Duration a, Duration b) {
    return static_cast<double>(a.count()) / static_cast<double>(b.count());
}
double share(std::uint64_t part, std::uint64_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
}
// Half the width of the interval that holds a share with 99 % confidence.
double margin(double p, std::uint64_t runs) {
    return 2.576 * std::sqrt(p * (1 - p) / static_cast<double>(runs));
}
std::string percent(double p) {
    const auto tenths = static_cast<std::int64_t>(std::lround(1000 * p));
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

// The appendix, equation (3).
double collision_formula(std::uint32_t n, Duration R) {
    return 1 - std::pow(1 - ratio(delta, R), n);
}

std::uint64_t refusals(TempoStage& stage) {
    for (const auto& [type, count] : stage.look().by_type)
        if (type == "Refuse") return count;
    return 0;
}

// One election after the other among n slaves whose timers were all set by the same adjustment,
// drawn afresh over r .. r+R: how many of their first attempts collided. r is so large that second
// attempts are told from first ones.
std::uint64_t count_collisions(std::uint32_t n, Duration R, std::uint64_t elections,
                               bool fresh = true) {
    const Duration r = R + 1500ms;
    Scenario scenario = with(settled(n + 1, n), "fresh", fresh ? "on" : "off");
    scenario.settings.emplace_back("r", format_duration(r));
    scenario.settings.emplace_back("R", format_duration(R));
    TempoStage stage(scenario);
    std::uint64_t collisions = 0;
    Time time = 500ms;
    for (std::uint64_t i = 0; i < elections; ++i) {
        stage.run_until(time += 2500ms);  // whoever came back has been adjusted with all others
        const Id master = stage.masters().ids.at(0);
        const std::uint64_t before = refusals(stage);
        stage.crash(master);
        stage.run_until(time += r + R + 50ms);
        if (refusals(stage) != before) {
            ++collisions;
            while (stage.masters().empty()) stage.run_until(time += 100ms);
        }
        stage.restart(master);
    }
    return collisions;
}

struct Point {
    std::uint32_t n;
    Duration R;
    std::uint64_t collisions;
};

// The appendix, equation (3), over N delta / R.
Series formula_line(std::uint32_t n) {
    Series series{"1-(1-delta/R)^N, N = " + std::to_string(n), {}, true};
    for (int i = 0; i <= 50; ++i)
        series.points.emplace_back(0.01 * i, 1 - std::pow(1 - 0.01 * i / n, n));
    return series;
}

Plot collision_plot(const std::vector<Point>& points, std::uint64_t elections) {
    Plot plot{"TEMPO: how often two candidates collide",
              "N delta / R",
              "share of elections",
              false,
              false,
              {}};
    plot.series = {
        {"bound N delta / R", {{0, 0}, {0.5, 0.5}}, true}, formula_line(2), formula_line(100)};
    for (const Point& point : points) {
        const std::string name = "N = " + std::to_string(point.n);
        if (plot.series.back().name != name) plot.series.push_back({name, {}});
        plot.series.back().points.emplace_back(point.n * ratio(delta, point.R),
                                               share(point.collisions, elections));
    }
    return plot;
}

// From the master's crash, 9 ms after the last adjustment, to the new one's Masterup.
simulator::Sample failover(Duration R, bool deputy, std::uint64_t runs) {
    simulator::Sample sample;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Scenario scenario = with(bereft(6, seed), "R", format_duration(R));
        if (deputy) scenario = with(scenario, "deputy", "on");
        TempoStage stage(scenario);
        stage.run_until(crash_time + 1400ms);
        const Time elected = stage.run_to_master(crash_time + 1400ms, 120s, 0ms);
        sample.add((elected - crash_time).count());
    }
    return sample;
}

Plot failover_plot(std::uint64_t runs) {
    Plot plot{"TEMPO: from the crash to a new master, five slaves, r = 1.5 s",
              "R (s)",
              "mean time (s)",
              false,
              false,
              {}};
    Series formula{"r + R/(N+1) + 5 ms", {}, true}, plain{"measured", {}}, deputy{"deputy=on", {}};
    for (const Duration R : {20ms, 100ms, 500ms, 1000ms, 2250ms, 4500ms}) {
        const double x = ratio(R, 1s);
        formula.points.emplace_back(x, 1.505 + x / 6);
        plain.points.emplace_back(x, failover(R, false, runs).mean() / 1e9);
        deputy.points.emplace_back(x, failover(R, true, runs).mean() / 1e9);
    }
    plot.series = {formula, plain, deputy};
    return plot;
}

}  // namespace

Result measure_collisions(const Effort& effort) {
    const std::uint64_t elections = effort.runs(10'000);
    std::vector<Point> points;
    std::size_t inside = 0, below = 0;
    std::string worst;
    double furthest = 0;
    for (const std::uint32_t n : {2u, 5u, 20u, 100u})
        for (const std::int64_t x : {20, 10, 5, 2}) {  // N delta / R = 1/x
            const Duration R = n * delta * x;
            points.push_back({n, R, count_collisions(n, R, elections)});
            const double formula = collision_formula(n, R);
            const double measured = share(points.back().collisions, elections);
            const double off = std::abs(measured - formula) / margin(formula, elections);
            inside += off <= 1;
            below += measured <= n * ratio(delta, R) + margin(formula, elections);
            if (off < furthest) continue;
            furthest = off;
            worst = "N = " + std::to_string(n) + ", R = " + format_duration(R) + ": " +
                    percent(measured) + ", formula " + percent(formula) + " +- " +
                    percent(margin(formula, elections));
        }
    const double kept = share(count_collisions(5, 25ms, elections, false), elections);
    const double independent = collision_formula(5, 25ms);
    const bool differs = std::abs(kept - independent) > 2 * margin(independent, elections);
    const bool good = inside == points.size() && below == points.size() && differs;
    return {
        .status = good ? Status::finding : Status::fail,
        .expected =
            "appendix: \"the probability that an election attempt results in a "
            "collision\" is 1-(1-delta/R)^N",
        .measured = "timers drawn afresh: " + std::to_string(inside) + " of " +
                    std::to_string(points.size()) + " points within the 99 % interval, " +
                    std::to_string(below) +
                    " below N delta / R; drawn at start-up as 5.1 has "
                    "it, N = 5, R = 25ms: " +
                    percent(kept) + " instead of " + percent(independent),
        .unit = "of elections collide",
        .evidence = std::to_string(elections) +
                    " elections a point, N = 2, 5, 20, 100, each master crashing and coming back; "
                    "timers set by the same adjustment, delta = 1 ms. The law supposes "
                    "independent timers in each election. A slave draws its value once, at "
                    "start-up (5.1): the lowest values are used up, the others stay, and only "
                    "the one that came back has a new one. Furthest off with fresh draws: " +
                    worst + ".",
        .exhibits = {},
        .plots = {collision_plot(points, elections), failover_plot(effort.runs(300))}};
}

namespace {

// How many rounds in a row collided before somebody was elected, among n slaves.
std::uint64_t rounds_in_vain(std::uint32_t n, Duration R, std::uint64_t seed) {
    TempoStage stage(with(bereft(n + 1, seed), "R", format_duration(R)));
    Time time = crash_time;
    stage.run_until(time);
    std::uint64_t rounds = 0, before = refusals(stage);
    bool going = false;  // a round may straddle two looks
    while (stage.masters().empty() && time < 10min) {
        stage.run_until(time += 100ms);
        const std::uint64_t now = refusals(stage);
        rounds += now != before && !going;
        going = now != before;
        before = now;
    }
    return rounds;
}

// Of the elections that collided k-1 times, the share that collided once more.
std::vector<double> repetition_shares(std::uint32_t n, Duration R, std::uint64_t runs,
                                      std::vector<std::uint64_t>& reached) {
    reached.assign(6, 0);
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
        for (std::uint64_t k = 0, rounds = rounds_in_vain(n, R, seed); k <= rounds && k < 6; ++k)
            ++reached[k];
    std::vector<double> shares;
    for (std::size_t k = 0; k < 3; ++k) shares.push_back(share(reached[k + 1], reached[k]));
    return shares;
}

}  // namespace

Result measure_repetitions(const Effort& effort) {
    Result result{.status = Status::pass,
                  .expected = "falls from round to round",
                  .measured = "",
                  .unit = "share of rounds that collide",
                  .evidence = "",
                  .exhibits = {},
                  .plots = {}};
    Plot plot{"TEMPO: collisions fall from round to round",
              "round",
              "share that collides",
              false,
              false,
              {{"1-(1-delta/R)^N, N = 2, R doubled", {}, true}}};
    for (std::uint32_t k = 0; k < 3; ++k)  // each round draws from twice the range
        plot.series[0].points.emplace_back(k + 1, collision_formula(2, (1 << k) * Duration{4ms}));
    for (const auto& [n, R] : {std::pair{2u, Duration{4ms}}, std::pair{5u, Duration{10ms}}}) {
        std::vector<std::uint64_t> reached;
        const auto shares = repetition_shares(n, R, effort.runs(20'000), reached);
        // The first is exact; only those that collided draw again, from twice the range.
        const double first = collision_formula(n, R);
        if (std::abs(shares[0] - first) > margin(first, reached[0])) result.status = Status::fail;
        for (std::size_t k = 1; k < shares.size(); ++k)
            if (shares[k] >= shares[k - 1] + margin(shares[k - 1], reached[k]))
                result.status = Status::fail;
        if (shares[2] >= shares[0] - margin(shares[0], reached[2])) result.status = Status::fail;
        result.measured += (result.measured.empty() ? "N = " : "; N = ") + std::to_string(n);
        Series series{"N = " + std::to_string(n), {}};
        for (std::size_t k = 0; k < shares.size(); ++k) {
            result.measured += (k == 0 ? ": " : ", ") + percent(shares[k]);
            series.points.emplace_back(static_cast<double>(k + 1), shares[k]);
        }
        plot.series.push_back(series);
    }
    result.evidence = "Rounds 1, 2, 3 of " + std::to_string(effort.runs(20'000)) +
                      " elections each, values drawn once at start-up, R = 4 and 10 ms so that "
                      "collisions are frequent (delay 1 ms). Two slaves halve their chance with "
                      "every round; of five only those that collided draw again, so it falls "
                      "more slowly.";
    result.plots = {plot};
    return result;
}

// ---------------------------------------------------------------- impatience and pauses

namespace {

// Elections within ten seconds, though the master lives and adjusts every second.
std::uint64_t needless_elections(Duration r, bool jitter = false) {
    Scenario scenario = with(with(settled(5), "r", format_duration(r)), "R", "0s");
    if (jitter) scenario.delay = {simulator::Delay::Shape::uniform, 100us, 1ms};
    TempoStage stage(scenario);
    stage.run_until(10500ms);
    std::uint64_t elections = 0;
    for (const auto& [type, count] : stage.look().by_type)
        if (type == "Election") elections = count;
    return elections;
}

// The master stands still from 2.06 to 8 s. Its network goes on and keeps what comes, or, `deaf`,
// has no room for it.
constexpr Time resumes = 8s;
Scenario paused(bool deaf) {
    Scenario scenario = settled(3);
    scenario.pauses = {{Id{1}, {crash_time, resumes}}};
    if (deaf)
        scenario.cuts = {{Id{2}, Id{1}, {crash_time, resumes}},
                         {Id{3}, Id{1}, {crash_time, resumes}}};
    return scenario;
}

}  // namespace

Result show_needless(const Effort&) {
    const std::uint64_t impatient = needless_elections(900ms), equal = needless_elections(1s),
                        shaken = needless_elections(1s, true),
                        patient = needless_elections(1001ms, true);
    const std::size_t before = masters_at(paused(false), crash_time),
                      upon = masters_at(paused(false), resumes + 500us),
                      after = masters_at(paused(false), 60s), deaf = masters_at(paused(true), 60s),
                      stopped = masters_at(bereft(3), 60s),
                      announced = masters_at(with(paused(true), "announce", "3s"), 60s);
    const bool needless = impatient > 0 && shaken > 0 && patient == 0;
    const bool two = before == 1 && upon == 2 && after == 1 && deaf == 2 && stopped == 1;
    const auto n = [](std::uint64_t value) { return std::to_string(value); };
    return {.status = needless && two && announced == 1 ? Status::pass : Status::fail,
            .expected = "r <= sync: needless elections; a pause: two masters",
            .measured = "r = 0.9 s: " + n(impatient) + ", 1 s: " + n(shaken) + ", 1.001 s: " +
                        n(patient) + " elections; after the pause " + n(upon) + " masters",
            .unit = "",
            .evidence =
                "The master lives and adjusts every second, for 10 s; a message takes 0.1 "
                "to 1 ms. (If all took equally long, r = 1 s would just do: " +
                n(equal) +
                " elections.) A master that stands still from 2.06 to 8 s goes on beside "
                "the elected one. If its network kept the Election and the Masterup for "
                "it, it makes that one quit; if not, there are still " +
                n(deaf) + " masters at 60 s, or with announce=3s " + n(announced) +
                ". Fail-stop (section 3) is needed: after a crash there is " + n(stopped) + ".",
            .exhibits = {exhibit_of("The master pauses, is replaced, and goes on: what waited for "
                                    "it makes it send the other one away.",
                                    paused(false), 3600ms, 8020ms),
                         exhibit_of("The same, if what came meanwhile is lost: two masters share "
                                    "a slave.",
                                    paused(true), 7600ms, 10s)},
            .plots = {}};
}

}  // namespace conclave::claims::tempo
