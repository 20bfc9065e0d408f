// Whole ticks of k: messages take 0 or 1, timers fire when due, events at equal times come in every
// order. A search looks at every run up to a number of ticks that is long after the last election.
#include "conclave/claims/nemeth/nemeth_searches.hpp"

#include <initializer_list>

#include "conclave/claims/measuring.hpp"
#include "conclave/claims/nemeth/nemeth_cases.hpp"
#include "conclave/claims/nemeth/nemeth_runs.hpp"
#include "conclave/claims/nemeth/nemeth_schedules.hpp"

namespace conclave::claims::exchange {

namespace {

using checker::Query;
using checker::Verdict;
// One system to search, and what must come out.
struct Search {
    std::string_view name;
    std::uint32_t nodes = 3, ticks = 30;
    std::uint8_t crashes = 0, recoveries = 0;
    std::vector<Id> late{};  // come up at any time, or never
    Settings settings{};
    bool holds = true;       // never two coordinators
    bool only_full = false;  // too long for every commit
    bool in_step = false;    // every message takes exactly k, so that four nodes can be searched
    std::uint32_t late_from = 0;  // late ones come up when the others are long reorganized
};

Query query_of(const Search& search, const Effort& effort) {
    Query query;
    query.algorithm = "nemeth";
    for (std::uint32_t id = 1; id <= search.nodes; ++id) query.ring.push_back(Id{id});
    query.late = search.late;
    query.late_from = search.late_from;
    query.settings = search.settings;
    query.settings.emplace_back("clock-range", "2");  // two clocks in either order, or equal
    query.timing = checker::Timing::bounded;
    query.delay_min = search.in_step ? query.delay_max : 0;
    query.ticks_max = search.ticks;
    query.budget.crashes = search.crashes;
    query.budget.recoveries = search.recoveries;
    query.threads = effort.threads;
    return effort.read(query);
}

Verdict explore(Query query, std::string_view property) {
    query.properties = {std::string(property)};
    return search_named(query);
}

bool holds(const Verdict& verdict) { return verdict.answer == Verdict::Answer::holds; }
bool violated(const Verdict& verdict) { return verdict.answer == Verdict::Answer::violated; }

std::string tell(const Search& search, const Verdict& verdict) {
    return std::string(search.name) + ": " +
           (holds(verdict)      ? "never, "
            : violated(verdict) ? "two after " + std::to_string(verdict.searched.depth) + " steps, "
                                : "not settled, ") +
           std::to_string(verdict.searched.states) + " states";
}

// All searches of a claim; `finding`: they show that the printed claim needs more than is printed.
Result settle(const Effort& effort, std::string_view claim, const std::vector<Search>& searches,
              Status good, std::string_view expected) {
    Result result{.status = good,
                  .expected = std::string(expected),
                  .unit = "two coordinators",
                  .evidence =
                      "Every run of the code with delays of 0 or 1 tick of k (in step: of 1), up "
                      "to the ticks that the searches state."};
    for (const Search& search : searches) {
        if (search.only_full && effort.quick) continue;
        const Verdict verdict = explore(query_of(search, effort), "one-leader");
        if (search.holds ? !holds(verdict) : !violated(verdict)) result.status = Status::fail;
        result.measured += (result.measured.empty() ? "" : "; ") + tell(search, verdict);
        if (violated(verdict))
            result.exhibits.push_back(
                {std::string(search.name) + ", the shortest run", verdict.story.trace});
    }
    for (const Case& told : cases())
        if (told.claim == claim) result.exhibits.push_back(exhibit_of(told));
    return result;
}

// The same for four nodes whose links differ.
void settle_families(const Effort& effort, const std::vector<Family>& families, Result& result) {
    for (Family family : families) {
        // Nine of them, unlike each other; running clocks make each one far larger.
        const bool all =
            !effort.quick && !effort.reads("clocks", "running") && !effort.reads("life", "any");
        if (!all) family.stride = 509;
        family.settings.emplace_back("clock-range", "2");
        family = effort.read(family);
        const Harvest harvest = search_family(family, effort.threads);
        if (harvest.unsettled != 0 || (harvest.violated == 0) != family.holds)
            result.status = Status::fail;
        result.measured += "; " + tell(family, harvest);
    }
}

// Whether the cells that "may not occur" are reached: (b,6) and (d,3).
struct Cells {
    bool b6 = false, d3 = false, complete = false;
};
Cells cells_of(const Search& search, const Effort& effort, std::uint64_t states_max = 0) {
    Query query = query_of(search, effort);
    query.states_max = states_max;
    const Verdict verdict = explore(query, "rows");
    const auto fired = [&](unsigned row) { return (verdict.searched.rows_fired >> row & 1) != 0; };
    return {fired(6), fired(12), verdict.searched.complete};
}

}  // namespace

namespace {

const Settings repair{{"repair", "on"}}, current{{"compare", "current"}};

// Constraint A where nodes only fail, or all are up at the start.
std::vector<Search> steady_searches() {
    return {{.name = "cold start of 3", .ticks = 60},
            {.name = "3, two of which fail at any time", .ticks = 40, .crashes = 2},
            {.name = "cold start of 4 in step", .nodes = 4, .ticks = 20, .in_step = true},
            {.name = "4 in step, two of which fail at any time",
             .nodes = 4,
             .ticks = 20,
             .crashes = 2,
             .only_full = true,
             .in_step = true}};
}

// A few of all, for readings under which there are more runs.
std::vector<Search> short_searches(bool counts) {
    return {{.name = "cold start of 3", .ticks = 20},
            {.name = "3 in step, one of which fails at any time", .crashes = 1, .in_step = true},
            {.name = "3, one comes up at any time", .late = {Id{3}}, .holds = false},
            {.name = "2, one fails and returns",
             .nodes = 2,
             .crashes = 1,
             .recoveries = 1,
             .holds = !counts},
            {.name = "2, two failures and returns",
             .nodes = 2,
             .crashes = 2,
             .recoveries = 2,
             .holds = false}};
}

// Where nodes come up later, or again. Node 1 has the smallest identifier, so it never ties.
std::vector<Search> returning_searches() {
    const auto back = [](std::string_view name, std::uint32_t nodes, std::vector<Id> who,
                         const Settings& settings, bool holds) {
        return Search{.name = name,
                      .nodes = nodes,
                      .late = std::move(who),
                      .settings = settings,
                      .holds = holds,
                      .in_step = nodes == 4,
                      .late_from = 12};
    };
    const auto again = [](std::string_view name, const Settings& settings, bool holds) {
        return Search{.name = name,
                      .nodes = 2,
                      .ticks = 40,
                      .crashes = 1,
                      .recoveries = 1,
                      .settings = settings,
                      .holds = holds};
    };
    return {{.name = "3, one comes up at any time", .late = {Id{3}}, .holds = false},
            back("1 comes to 2 and 3, which are quiet", 3, {Id{1}}, {}, true),
            back("3 comes to 1 and 2, which are quiet", 3, {Id{3}}, {}, false),
            back("the same, d and e compare with their clock", 3, {Id{3}}, current, true),
            back("1 and 2 come to 3, which is quiet", 3, {Id{1}, Id{2}}, {}, false),
            back("4 comes to 1, 2 and 3 in step", 4, {Id{4}}, {}, false),
            back("the same, d and e compare with their clock", 4, {Id{4}}, current, true),
            back("1 and 2 come to 3 and 4 in step", 4, {Id{1}, Id{2}}, {}, false),
            again("2, one fails and returns", {}, false),
            again("the same, d and e compare with their clock", current, false),
            {.name = "2, two failures and returns",
             .nodes = 2,
             .crashes = 2,
             .recoveries = 2,
             .holds = false}};
}

std::vector<Search> repaired_searches() {
    const std::vector<Id> last{Id{4}}, two{Id{3}, Id{4}};
    return {{.name = "repaired, 2, one fails and returns",
             .nodes = 2,
             .ticks = 60,
             .crashes = 1,
             .recoveries = 1,
             .settings = repair},
            {.name = "repaired, 3, one comes up at any time",
             .late = {Id{3}},
             .settings = repair,
             .only_full = true},
            {.name = "repaired, 2, two failures and returns",
             .nodes = 2,
             .ticks = 40,
             .crashes = 2,
             .recoveries = 2,
             .settings = repair,
             .only_full = true},
            {.name = "repaired, 3 in step, one fails and returns",
             .crashes = 1,
             .recoveries = 1,
             .settings = repair,
             .only_full = true,
             .in_step = true},
            {.name = "repaired, 4 in step, one comes up at any time",
             .nodes = 4,
             .ticks = 20,
             .late = last,
             .settings = repair,
             .only_full = true,
             .in_step = true},
            {.name = "repaired, 4 in step, two come up at any time",
             .nodes = 4,
             .ticks = 12,
             .late = two,
             .settings = repair,
             .only_full = true,
             .in_step = true}};
}

}  // namespace

std::uint64_t rows_never_fired(const Effort& effort) {
    const Search back{.name = "",
                      .crashes = 1,
                      .recoveries = 1,
                      .settings = {{"clocks", "counter"}},
                      .in_step = true};
    return explore(query_of(back, effort), "rows").rows_missing;
}

namespace {

// The two runs that no reading saves, with clocks drawn in many ways: how often both are two.
std::uint64_t robust_cases(const Effort& effort, std::uint64_t seeds) {
    std::uint64_t two = 0;
    for (const std::string_view name : {"two-reintroductions", "returned-coordinator"})
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            simulator::Scenario scenario = find_case(name).scenario;
            scenario.settings = effort.reading;
            scenario.seed = seed;
            two += two_coordinators(run_named(scenario));
        }
    return two;
}

}  // namespace

Result settle_constraint_a(const Effort& effort) {
    const bool counts = effort.reads("clocks", "counter");
    const bool plain = counts && effort.reads("life", "own");
    std::vector<Search> searches = plain ? steady_searches() : short_searches(counts);
    for (const auto& more : {returning_searches(), repaired_searches()})
        if (plain) searches.insert(searches.end(), more.begin(), more.end());
    Result result = settle(effort, "N2", searches, Status::finding,
                           "\"a unique controller to be elected as a coordinator (CONSTRAINT A)\", "
                           "also \"if one or more nodes may recover\"");
    if (plain)
        settle_families(
            effort,
            {{.name = "cold start of 4, each link k/2 or k"},
             {.name = "the same, one of which fails at any time", .crashes = 1, .stride = 61}},
            result);
    constexpr std::uint64_t seeds = 20;
    const std::uint64_t robust = robust_cases(effort, seeds);
    if (robust != 2 * seeds) result.status = Status::fail;
    result.measured +=
        "; two return within T + k, or one returns to a coordinator that has "
        "returned: two in " +
        std::to_string(robust) + " of " + std::to_string(2 * seeds) + " runs";
    return result;
}

Result settle_candidate_timer(const Effort& effort) {
    Result result =
        settle(effort, "N3",
               {{.name = "T = k", .settings = {{"candidate-timer", "1ms"}}, .holds = false},
                {.name = "T = 2k", .settings = {{"candidate-timer", "2ms"}}, .holds = false},
                {.name = "T = 2k and a failure",
                 .crashes = 1,
                 .settings = {{"candidate-timer", "2ms"}},
                 .holds = false},
                {.name = "4 in step, T = k",
                 .nodes = 4,
                 .ticks = 20,
                 .settings = {{"candidate-timer", "1ms"}},
                 .holds = false,
                 .in_step = true},
                {.name = "T = 3k"},
                {.name = "T = 3k and two failures", .crashes = 2}},
               Status::pass, "two for T <= 2k, never for T > 2k");
    settle_families(effort,
                    {{.name = "4, each link k/2 or k, T = 2k",
                      .settings = {{"candidate-timer", "2ms"}},
                      .stride = 17,
                      .holds = false},
                     {.name = "4, each link k/2 or k, T = 2.5k",
                      .settings = {{"candidate-timer", "2500us"}},
                      .stride = 17}},
                    result);
    return result;
}

namespace {

// The exact threshold: with messages of m to k ticks, t > T + k - m.
void settle_threshold(Result& result) {
    bool exact = true;
    for (std::uint32_t most = 1; most <= 3; ++most)
        for (std::uint32_t least = 0; least <= most; ++least)
            exact = exact && least_election_timer(least, most) == 2 * most + 1 + most - least + 1;
    if (!exact) result.status = Status::fail;
    result.measured +=
        std::string("; 2 nodes, k = 1, 2, 3 ticks, delays of m = 0..k to k: never ") +
        (exact ? "from" : "NOT from") + " t = T + k - m + 1 on, and not before";
}

}  // namespace

Result settle_election_timer(const Effort& effort) {
    const auto with = [](std::string t, std::string r) {
        return Settings{{"election-timer", std::move(t)}, {"reorganizing-timer", std::move(r)}};
    };
    Result result =
        settle(effort, "N4",
               {{.name = "T = 3k, R = 3k, t = 4k", .settings = with("4ms", "3ms"), .holds = false},
                {.name = "T = 3k, R = 3k, t = 5k", .settings = with("5ms", "3ms")},
                {.name = "T = 3k, R = k, t = 4k",
                 .settings = with("4ms", "1ms"),
                 .holds = false,
                 .only_full = true},
                {.name = "T = 3k, R = k, t = 5k", .settings = with("5ms", "1ms")},
                {.name = "T = 3k, R = 3k, t = 5k and two failures",
                 .crashes = 2,
                 .settings = with("5ms", "3ms")}},
               Status::finding, "two for t <= T + k; never for t > T + k, also below T + R");
    settle_threshold(result);
    settle_families(effort,
                    {{.name = "4, each link k/2 or k, T = 2.5k, R = k, t = 4k, one fails",
                      .ticks = 60,
                      .crashes = 1,
                      .settings = {{"candidate-timer", "2500us"},
                                   {"election-timer", "4ms"},
                                   {"reorganizing-timer", "1ms"}},
                      .stride = 128}},
                    result);
    return result;
}

Result settle_clocks(const Effort& effort) {
    const bool counts = effort.reads("clocks", "counter");
    const Search one{.name = "", .nodes = 2, .crashes = 1, .recoveries = 1};
    // Running clocks multiply the runs: one failure then.
    const auto failures = static_cast<std::uint8_t>(counts ? 2 : 1);
    Search kept = one, twice = one, failing{.name = "", .crashes = failures};
    kept.settings = {{"recovery", "kept"}};
    twice.crashes = twice.recoveries = 2;
    const Cells zero = cells_of(one, effort), old = cells_of(kept, effort),
                none = cells_of(failing, effort), two = cells_of(twice, effort, 200'000);
    Search clock_0 = one, clock_kept = kept, both = twice;
    clock_0.holds = !counts;  // it ties with who was elected at the start
    clock_kept.holds = both.holds = false;
    clock_0.name = "one returns with clock 0";
    clock_kept.name = "one returns with its clock kept";
    both.name = "two return with clock 0";
    Result result =
        settle(effort, "N5", {clock_0, clock_kept, both}, Status::finding,
               "\"the situations denoted by ! ... must be inhibited. This can be ensured by simply "
               "setting the clock value of the recovering node to 0\"");
    const auto yes = [](bool reached) { return reached ? "reached" : "never"; };
    result.measured = std::string("nodes only fail: (b,6) ") + yes(none.b6) + ", (d,3) " +
                      yes(none.d3) + "; one returns with clock 0: " + yes(zero.b6) + ", " +
                      yes(zero.d3) + "; with the old one: " + yes(old.b6) + ", " + yes(old.d3) +
                      "; two return with clock 0: " + yes(two.b6) + ", " + yes(two.d3) + "; " +
                      result.measured;
    const bool good = !none.b6 && !none.d3 && none.complete && zero.b6 && zero.d3 == counts &&
                      old.b6 && old.d3 && two.b6 && two.d3;
    if (!good) result.status = Status::fail;
    return result;
}

}  // namespace conclave::claims::exchange
