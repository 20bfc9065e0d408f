// Whole ticks of k: messages take 0 or 1, timers fire when due, events at equal times come in every
// order. A search looks at every run up to a number of ticks that is long after the last election.
#include "conclave/claims/nemeth_searches.hpp"

#include <initializer_list>

#include "conclave/checker/engines.hpp"
#include "conclave/claims/nemeth_cases.hpp"
#include "conclave/core/check.hpp"

namespace conclave::claims::exchange {

namespace {

using checker::Query;
using checker::Verdict;
using Settings = std::vector<std::pair<std::string, std::string>>;

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
};

Query query_of(const Search& search, std::uint32_t threads) {
    Query query;
    query.algorithm = "nemeth";
    for (std::uint32_t id = 1; id <= search.nodes; ++id) query.ring.push_back(Id{id});
    query.late = search.late;
    query.settings = search.settings;
    query.timing = checker::Timing::bounded;
    query.delay_min = search.in_step ? query.delay_max : 0;
    query.ticks_max = search.ticks;
    query.budget.crashes = search.crashes;
    query.budget.recoveries = search.recoveries;
    query.threads = threads;
    return query;
}

Verdict explore(Query query, std::string_view property) {
    query.properties = {std::string(property)};
    const checker::Engine* engine = checker::find_engine(query.algorithm);
    check(engine != nullptr && engine->problem(query).empty(), "a query that can be asked");
    return engine->explore(query, {});
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
        const Verdict verdict = explore(query_of(search, effort.threads), "one-leader");
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

// Whether the cells that "may not occur" are reached: (b,6) and (d,3).
struct Cells {
    bool b6 = false, d3 = false, complete = false;
};
Cells cells_of(const Search& search, std::uint32_t threads) {
    const Verdict verdict = explore(query_of(search, threads), "rows");
    const auto fired = [&](unsigned row) { return (verdict.searched.rows_fired >> row & 1) != 0; };
    return {fired(6), fired(12), verdict.searched.complete};
}

}  // namespace

Result settle_constraint_a(const Effort& effort) {
    const Settings repair{{"repair", "on"}};
    return settle(
        effort, "N2",
        {{.name = "cold start of 3", .ticks = 60},
         {.name = "3, two of which fail at any time", .ticks = 40, .crashes = 2},
         {.name = "cold start of 4 in step", .nodes = 4, .ticks = 20, .in_step = true},
         {.name = "4 in step, two of which fail at any time",
          .nodes = 4,
          .ticks = 20,
          .crashes = 2,
          .only_full = true,
          .in_step = true},
         {.name = "repaired, 4 in step, one comes up at any time",
          .nodes = 4,
          .ticks = 20,
          .late = {Id{4}},
          .settings = repair,
          .only_full = true,
          .in_step = true},
         {.name = "3, one comes up at any time", .late = {Id{3}}, .holds = false},
         {.name = "2, one fails and returns",
          .nodes = 2,
          .ticks = 40,
          .crashes = 1,
          .recoveries = 1,
          .holds = false},
         {.name = "the same, d and e compare with their clock",
          .nodes = 2,
          .ticks = 40,
          .crashes = 1,
          .recoveries = 1,
          .settings = {{"compare", "current"}},
          .holds = false},
         {.name = "repaired, 2, one fails and returns",
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
          .only_full = true}},
        Status::finding,
        "never while nodes only fail, or all are up at the start; else two, as printed; never "
        "with the repair");
}

Result settle_candidate_timer(const Effort& effort) {
    return settle(effort, "N3",
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
}

Result settle_election_timer(const Effort& effort) {
    const auto with = [](std::string t, std::string r) {
        return Settings{{"election-timer", std::move(t)}, {"reorganizing-timer", std::move(r)}};
    };
    return settle(
        effort, "N4",
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
}

Result settle_clocks(const Effort& effort) {
    const Search one{.name = "", .nodes = 2, .crashes = 1, .recoveries = 1};
    Search kept = one, failing{.name = "", .crashes = 2};
    kept.settings = {{"recovery", "kept"}};
    const Cells zero = cells_of(one, effort.threads), old = cells_of(kept, effort.threads),
                none = cells_of(failing, effort.threads);
    Search two = one, two_kept = kept;
    two.holds = two_kept.holds = false;
    two.name = "clock 0";
    two_kept.name = "clock kept";
    Result result = settle(effort, "N5", {two, two_kept}, Status::finding,
                           "neither cell while nodes only fail; both if one returns");
    const auto yes = [](bool reached) { return reached ? "reached" : "never"; };
    result.measured = std::string("nodes only fail: (b,6) ") + yes(none.b6) + ", (d,3) " +
                      yes(none.d3) + "; one returns with clock 0: " + yes(zero.b6) + ", " +
                      yes(zero.d3) + "; with the old one: " + yes(old.b6) + ", " + yes(old.d3) +
                      "; " + result.measured;
    if (none.b6 || none.d3 || !zero.b6 || !zero.d3 || !old.b6 || !old.d3 || !none.complete)
        result.status = Status::fail;
    return result;
}

}  // namespace conclave::claims::exchange
