// T11 to T14: what TEMPO does to clocks, shown on networks of simulated ones. "The paper's way" is
// its mean and its differences as printed; "ours" is the ensemble of conclave/clock, for the same
// words. Node 1 is the first master.
#include "conclave/claims/measuring.hpp"
#include "conclave/claims/tempo/tempo_claims.hpp"
#include "conclave/core/check.hpp"
#include "conclave/simulator/time/time_run.hpp"

namespace conclave::claims::tempo {

namespace {

using namespace std::chrono_literals;
using simulator::Moment;
using simulator::TimeOutcome;
using simulator::TimeScenario;

TimeScenario told(const std::string& words, std::uint64_t seed = 1,
                  const std::string& newcomers = "") {
    TimeScenario scenario = simulator::usual_time_scenario();
    const std::string problem = read_time_scenario(
        scenario,
        words + "\nstart = ['2@1s', '3@1100ms', '4@1200ms', '5@1300ms'" + newcomers + "]\n",
        "claim");
    check(problem.empty(), problem.c_str());
    scenario.world.seed = seed;
    return scenario;
}

const std::string paper_way = "keeping = 'paper'\ninterval = '20ms'\n";

double in_us(Duration value) { return static_cast<double>(value.count()) / 1e3; }

// The mean of nodes 1 to 4, and how far node 5 is from it.
struct Sight {
    Duration mean{}, fifth{};
};
Sight last_sight(const TimeScenario& scenario) {
    const TimeOutcome outcome = run_time(scenario);
    const Moment& last = outcome.moments.back();
    Duration sum{};
    for (std::size_t i = 0; i < 4; ++i) sum += last.offsets[i];
    return {sum / 4, last.offsets[4] - sum / 4};
}

// By how much a faulty fifth clock moves the mean of the others, and how well it is corrected.
struct Displacement {
    Duration by{}, left{};
    void include(const Sight& faulty, const Sight& sound) {
        by = std::max(by, clock::magnitude(faulty.mean - sound.mean));
        left = std::max(left, clock::magnitude(faulty.fifth));
    }
};
Displacement displace(const std::string& way, std::uint64_t seeds) {
    Displacement worst;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto run = [&](const std::string& clock, const std::string& more) {
            return last_sight(told(
                way + more + "clock = ['1=1ms:3', '2=2ms:-5', '3=3ms:8', '4=4ms:-6', '5=" + clock +
                    "']\nstep = '1s'\n",
                seed));
        };
        const Sight sound = run("2500us:0", "");
        worst.include(run("5h:0", ""), sound);
        worst.include(run("-3h:0", ""), sound);
        worst.include(run("2500us:0", "break = ['5@5min=1000ppm']\n"), sound);
    }
    return worst;
}

}  // namespace

Result show_mean(const Effort& effort) {
    const std::uint64_t seeds = effort.quick ? 1 : 30;
    const Displacement paper = displace(paper_way + "probe = '60s'\nuntil = '29min'\n", seeds);
    const Displacement ours = displace("jitter = 'exp:10us'\nuntil = '15min'\n", seeds);
    const bool holds = paper.by < 3ms && paper.left < 60ms && ours.by < 20us && ours.left < 50us;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "network time not moved, the faulty clock corrected",
            .measured = "the paper's way: moved by " + decimal(in_us(paper.by) / 1e3, 2) +
                        " ms, corrected to " + decimal(in_us(paper.left) / 1e3, 1) +
                        " ms; ours: moved by " + decimal(in_us(ours.by), 1) + " us, corrected to " +
                        decimal(in_us(ours.left), 1),
            .unit = "us",
            .evidence =
                "Four good clocks and a fifth that is 5 h ahead, 3 h behind, or drifts by 1000 ppm "
                "from some time on, against the same run with a sound fifth clock; the largest "
                "difference over " +
                std::to_string(seeds) +
                " seeds. Rounds of a minute and an interval of 20 ms, so that 1000 ppm are 60 ms "
                "a round: that is what the faulty clock is off by before each correction.",
            .exhibits = {},
            .plots = {}};
}

Result show_differences(const Effort& effort) {
    Duration worst{};
    const auto spread = [](const TimeScenario& scenario) {
        return widest_spread(run_time(scenario), scenario.score);
    };
    for (const char* path : {"1us", "100us", "1ms", "5ms", "50ms"}) {
        const std::string words = "path = '" + std::string(path) +
                                  "'\nset = ['candidate=210ms', 'accept=2s', 'resend=210ms', "
                                  "'startup=300ms', 'no-master=300ms', 'consistency=210ms', "
                                  "'conflict=210ms']\nuntil = '3min'\nscore = '1min'\n";
        worst = std::max(
            {worst, spread(told(words)), spread(told(words + paper_way + "probe = '10s'\n"))});
    }
    Duration paper{}, ours{};
    for (std::uint64_t seed = 1; seed <= (effort.quick ? 3u : 30u); ++seed) {
        const std::string network =
            "drift = 20\nwalk = 0.001\npath = '1ms'\njitter = 'exp:2ms'\n"
            "set = ['candidate=40ms', 'accept=400ms', 'resend=20ms']\n"
            "until = '40min'\nscore = '10min'\n";
        paper = std::max(paper, spread(told(network + paper_way + "probe = '4min'\n", seed)));
        ours = std::max(ours, spread(told(network, seed)));
    }
    const bool holds = worst <= 1us && paper <= 20ms && ours <= 2ms;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "no error from equal delays; at most 20 ms on the paper's network",
            .measured = "at most " + decimal(in_us(worst), 3) +
                        " us with delays of 1 us to 50 ms; on the paper's network " +
                        decimal(in_us(paper) / 1e3, 2) + " ms its way, " +
                        decimal(in_us(ours) / 1e3, 3) + " ms ours",
            .unit = "",
            .evidence =
                "Clocks without drift over constant equal delays, both ways of keeping "
                "time. Then clocks that drift by up to 20 ppm, a path of 1 ms with 2 ms of "
                "jitter, a round every four minutes (ours: a probe every second): the "
                "widest spread in half an hour.",
            .exhibits = {},
            .plots = {}};
}

Result show_set_first(const Effort& effort) {
    const std::uint64_t seeds = effort.quick ? 10 : 200;
    std::uint64_t newcomers = 0, ready = 0;
    Duration worst{}, worst_paper{};
    bool stepped = false;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        for (const bool paper : {false, true}) {
            const TimeScenario scenario =
                told(std::string(paper ? paper_way + "probe = '10s'\n" : "") +
                         "offset = '5ms'\nclock = ['6=2h:40', '7=-90min:-30']\nnodes = 7\n"
                         "jitter = 'exp:10us'\n"
                         "until = '2min'\nlook = '10ms'\n",
                     seed, ", '6@40s', '7@45s'");
            const TimeOutcome outcome = run_time(scenario);
            stepped = stepped || outcome.steps != 0;
            newcomers += 2;
            for (const std::size_t node : {std::size_t{5}, std::size_t{6}})
                ready += outcome.moments.back().offsets[node] != simulator::absent;
            // From the first moment at which users may look at it.
            for (const Moment& moment : outcome.moments) {
                if (moment.at < 40s) continue;
                for (const std::size_t node : {std::size_t{5}, std::size_t{6}}) {
                    if (moment.offsets[node] == simulator::absent) continue;
                    const Duration beside =
                        clock::magnitude(moment.offsets[node] - moment.offsets[0]);
                    (paper ? worst_paper : worst) = std::max(paper ? worst_paper : worst, beside);
                }
            }
        }
    const bool holds = ready == newcomers && !stepped && worst < 200us && worst_paper < 20ms;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "\"will reset the machine's clock before any user activity can begin\"",
            .measured = std::to_string(ready) + " of " + std::to_string(newcomers) +
                        " newcomers became ready, their clocks at most " +
                        decimal(in_us(worst), 1) + " us off our way, " +
                        decimal(in_us(worst_paper) / 1e3, 2) + " ms the paper's",
            .unit = "",
            .evidence = std::to_string(newcomers) +
                        " newcomers whose hardware clocks are two hours ahead or 90 minutes "
                        "behind join a running network; every 10 ms from when they report ready "
                        "they are compared with the master's clock.",
            .exhibits = {},
            .plots = {}};
}

Result show_outage(const Effort& effort) {
    // Election timers of two minutes: an outage that drift can be seen in.
    const std::string network =
        "clock = ['1=0s:0', '2=0s:-40', '3=0s:-20', '4=0s:20', '5=0s:40']\n"
        "set = ['r=2min', 'R=1min', 'deputy=off']\ncrash = ['1@1010s']\n"
        "until = '1400s'\nlook = '1s'\n";
    std::uint64_t outages = 0;
    double share = 0, share_least = 1;
    Duration ours{}, longest{};
    for (std::uint64_t seed = 1; seed <= (effort.quick ? 3u : 30u); ++seed) {
        const TimeOutcome paper = run_time(told(network + paper_way + "probe = '50s'\n", seed));
        const TimeOutcome kept = run_time(told(network + "jitter = 'exp:10us'\n", seed));
        if (paper.takeovers.size() != 2 || kept.takeovers.size() != 2) continue;
        ++outages;
        const Time elected = std::min(paper.takeovers[1].at, kept.takeovers[1].at);
        longest = std::max(longest, elected - 1010s);
        // The fastest and the slowest that are left part with 80 ppm.
        const Duration before = widest_spread(paper, 1011s, 1012s);
        const Duration grown = widest_spread(paper, 1011s, elected) - before;
        const Duration allowed = clock::over(clock::ppm(80), elected - 1011s);
        const double part = in_us(grown) / in_us(allowed);
        share = std::max(share, part);
        share_least = std::min(share_least, part);
        ours = std::max(ours, widest_spread(kept, 1011s, elected));
    }
    const bool holds =
        outages >= (effort.quick ? 2u : 25u) && share <= 1.001 && share_least > 0.9 && ours < 20us;
    return {.status = holds ? Status::pass : Status::fail,
            .expected = "drift x outage",
            .measured = decimal(share_least, 3) + " to " + decimal(share, 3) +
                        " of drift x outage; ours at most " + decimal(in_us(ours), 1) + " us",
            .unit = "",
            .evidence =
                "The master of clocks that drift by -40 to 40 ppm crashes and is missed "
                "for up to " +
                decimal(in_us(longest) / 1e6, 0) + " s, " + std::to_string(outages) +
                " times. The paper's clocks part as fast as they drift; with the rate "
                "that each has learned of itself they hardly do.",
            .exhibits = {},
            .plots = {}};
}

}  // namespace conclave::claims::tempo
