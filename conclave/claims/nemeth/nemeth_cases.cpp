#include "conclave/claims/nemeth/nemeth_cases.hpp"

#include <algorithm>

#include "conclave/claims/measuring.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"
#include "conclave/core/check.hpp"
#include "conclave/simulator/scenario/words.hpp"

namespace conclave::claims::exchange {

using namespace std::chrono_literals;
using simulator::Scenario;
using Settings = std::vector<std::pair<std::string, std::string>>;

namespace {

const Settings repaired{{"repair", "on"}};
constexpr simulator::Odds one_in_eight{(std::uint64_t{1} << 32) / 8};

// Told under the readings that make a run the simplest: clocks that count events from 0, and life
// messages of the own coordinator only. The claims say which cases other readings save.
const Settings told_under{{"clocks", "counter"}, {"life", "own"}};

Scenario ending(Scenario scenario, Time until, const Settings& settings = {}) {
    scenario.until = until;
    scenario.settings = told_under;
    scenario.settings.insert(scenario.settings.end(), settings.begin(), settings.end());
    return scenario;
}
// A node that is down at first comes up late: it has not started before.
Scenario& down(Scenario& scenario, Id id, Time from, Time until) {
    scenario.crashes.push_back({id, from});
    if (until != never) scenario.recoveries.push_back({id, until});
    return scenario;
}

// ---------------------------------------------------------------- N2: two reintroductions, ties

void add_reintroductions(std::vector<Case>& list) {
    Scenario staggered = ending(steady(2), 10ms);
    staggered.starts = {{Id{2}, 1500us}};
    list.push_back({"N2",
                    "staggered-start",
                    "Node 1 stands when node 2 is not up yet, so its candidate message is in vain. "
                    "Node 2 comes up 1.5 k later and stands; node 1 finds that candidacy greater "
                    "than its own, keeps quiet, and both candidate timers awake.",
                    staggered,
                    true,
                    {},
                    repaired});

    Scenario twice = ending(steady(3), 70ms);
    down(twice, Id{1}, 10ms, 60ms);
    down(twice, Id{2}, 10ms, 61500us);
    list.push_back({"N2",
                    "two-reintroductions",
                    "Nodes 1 and 2 return to the exchange that 3 coordinates, 1.5 k apart. 3 "
                    "yields, but of the two the one that came first never tells the other.",
                    twice,
                    true,
                    {},
                    repaired});

    Scenario again = ending(steady(3), 115ms);
    down(again, Id{1}, 10ms, 60ms);
    down(again, Id{3}, 101ms, 102ms);
    list.push_back({"N2",
                    "returned-coordinator",
                    "Node 1 fails, returns with timestamp 0 and is elected. Then 3 fails and is "
                    "back, with timestamp 0 too, before 1 misses it: its candidacy is the greater "
                    "one, which state e ignores.",
                    again,
                    true,
                    {},
                    repaired});
}

// Two more that some readings of the paper save.
void add_ties(std::vector<Case>& list) {
    Scenario tie = ending(steady(2), 30ms);
    down(tie, Id{2}, 20ms, 21ms);
    list.push_back({"N2",
                    "tie-at-zero",
                    "Node 1 was elected at the cold start with timestamp 0. Node 2 fails and is "
                    "back, with timestamp 0 too, before 1 misses it: its candidacy is the greater "
                    "one, which state e ignores.",
                    tie,
                    true,
                    {},
                    {{"compare", "current"}}});

    Scenario stale = ending(steady(3), 45ms, {{"life-interval", "7ms"}});
    down(stale, Id{1}, 15ms, 26500us);
    list.push_back({"N2",
                    "stale-reorganization",
                    "Node 1 returns just before 2 is elected in its place. 2 yields to it, but the "
                    "reorganizing message of 2 takes 3 back to state a, where the one of 1 is "
                    "ignored. The life timer of 3 awakes, and 1 in state e ignores the greater "
                    "candidacy, until it misses the answer of 3 and stands too.",
                    stale,
                    true,
                    {"(b,6)"},
                    repaired});
}

// ---------------------------------------------------------------- N3, N4: timers too short

void add_short_timers(std::vector<Case>& list) {
    list.push_back({"N3",
                    "candidate-timer-below-k",
                    "T < k: both candidate timers awake before either message arrives.",
                    ending(steady(2), 8ms, {{"candidate-timer", "900us"}}),
                    true,
                    {"(d,3)"},
                    {{"candidate-timer", "2001us"}}});
    list.push_back({"N3",
                    "candidate-timer-below-2k",
                    "k < T < 2k: the acknowledgement comes back too late, so that 1 does not list "
                    "2. The election timer of 2 awakes, and state e ignores its greater candidacy.",
                    ending(steady(2), 15ms, {{"candidate-timer", "1900us"}}),
                    true,
                    {},
                    {{"candidate-timer", "2001us"}}});

    Scenario late = ending(steady(4), 37ms, {{"candidate-timer", "1900us"}});
    down(late, Id{1}, 15ms, never);
    const auto fast = [&](std::uint32_t from, std::uint32_t to, Duration delay) {
        late.links.push_back({Id{from}, Id{to}, {.low = delay}});
    };
    fast(1, 2, 50us), fast(2, 4, 10us), fast(4, 2, 10us), fast(3, 2, 10us);
    fast(2, 1, 500us), fast(3, 1, 500us), fast(4, 1, 500us);
    list.push_back({"N3",
                    "late-loser",
                    "k < T < 2k, everybody listed: 3 stands just before it hears of 2 and gives "
                    "up, but its candidate message reaches 4 after 4 was reorganized by 2. The "
                    "election timer of 4 awakes, and 2 in state e ignores the greater candidacy.",
                    late,
                    true,
                    {},
                    {{"candidate-timer", "2001us"}}});

    const Scenario disturbed =
        ending(lively(2, 1), 8ms, {{"election-timer", "3500us"}, {"reorganizing-timer", "1ms"}});
    list.push_back({"N4",
                    "election-timer-below-T+k",
                    "T < t < T + k: the candidate message was fast, the reorganizing message is "
                    "slow, and the election timer awakes between them.",
                    disturbed,
                    true,
                    {"(b,6)"},
                    {{"election-timer", "4001us"}}});
}

// ---------------------------------------------------------------- N5: the clock on recovery

void add_clocks(std::vector<Case>& list) {
    Scenario back = ending(steady(3), 45ms);
    down(back, Id{1}, 15ms, never);
    down(back, Id{3}, 23700us, 24500us);
    list.push_back({"N5",
                    "back-before-the-reorganization",
                    "Node 3 acknowledges the candidacy of 2, fails, and is back as a candidate "
                    "when the reorganizing message arrives. No harm is done: 2 yields.",
                    back,
                    false,
                    {"(b,6)"},
                    {}});

    Scenario two = ending(steady(3), 70ms);
    down(two, Id{1}, 10ms, 60ms);
    down(two, Id{2}, 10ms, 62500us);
    list.push_back({"N5",
                    "two-at-zero",
                    "Nodes 1 and 2 return 2.5 k apart, both with timestamp 0: the greater "
                    "candidacy of 2 reaches 1 while it reorganizes.",
                    two,
                    true,
                    {"(d,3)"},
                    repaired});

    Scenario one = ending(steady(2), 8ms);
    down(one, Id{2}, 1500us, 2500us);
    list.push_back({"N5",
                    "one-at-zero",
                    "At the cold start 1 stands with timestamp 0. Node 2 acknowledges, fails, and "
                    "is back with timestamp 0 as well: one reintroduced node reaches both cells.",
                    one,
                    true,
                    {"(d,3)", "(b,6)"},
                    repaired});

    Scenario kept = ending(steady(3), 30ms, {{"recovery", "kept"}});
    down(kept, Id{1}, 15ms, never);
    down(kept, Id{3}, 23500us, 24500us);
    list.push_back({"N5",
                    "kept-clock",
                    "As before, but 2 stood later than at 0, and 3 keeps its clock: its candidacy "
                    "is the greater one.",
                    kept,
                    true,
                    {"(d,3)", "(b,6)"},
                    {{"recovery", "zero"}}});
}

// ---------------------------------------------------------------- N10: messages are lost

void add_losses(std::vector<Case>& list) {
    Scenario lost = ending(steady(2), 8ms);
    lost.loss = one_in_eight;
    lost.seed = 8;
    list.push_back({"N10",
                    "lost-message",
                    "One candidate message is lost: 2 never hears of 1, and the greater candidacy "
                    "of 2 does not stop 1.",
                    lost,
                    true,
                    {},
                    {}});

    Scenario parted = ending(steady(4), 80ms);
    parted.partitions = {{{{Id{1}, Id{2}}, {Id{3}, Id{4}}}, {20ms, 40ms}}};
    list.push_back({"N10",
                    "partition",
                    "Each half elects a coordinator. They stay after the network has healed, for "
                    "life messages only go to those on the list.",
                    parted,
                    true,
                    {},
                    {}});
}

}  // namespace

std::vector<Case> cases() {
    std::vector<Case> list;
    add_reintroductions(list);
    add_ties(list);
    add_short_timers(list);
    add_clocks(list);
    add_losses(list);
    return list;
}

Case find_case(std::string_view name) {
    const std::vector<Case> list = cases();
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Case& c) { return c.name == name; });
    check(found != list.end(), "a case is looked up by one of the names above");
    return *found;
}

Exhibit exhibit_of(const Case& told) {
    Exhibit exhibit{std::string(told.story) + " " + to_command(told.scenario), {}};
    run_named(told.scenario, &exhibit.trace);
    return exhibit;
}

}  // namespace conclave::claims::exchange
