#include "conclave/claims/tempo/tempo_searches.hpp"

#include <utility>

#include "conclave/claims/measuring.hpp"

namespace conclave::claims::tempo {

using checker::Query;
using checker::Verdict;
using Pairs = std::vector<std::pair<std::string, std::string>>;

namespace {

std::string ms(std::uint32_t ticks) { return std::to_string(ticks) + "ms"; }

Query with_settings(Query query, const Pairs& settings) {
    query.settings.insert(query.settings.end(), settings.begin(), settings.end());
    return query;
}
Query facing(Query query, const checker::Budget& budget) {
    query.budget = budget;
    return query;
}

// The same, but the others come up at any time from then on, or never, and anything strikes at any
// time.
Query free_starts(Query query, std::uint32_t from, std::uint32_t ticks) {
    query.late_from = from;
    query.late_until = 0;
    query.late_all = false;
    query.faults_from = 0;
    query.ticks_max = ticks;
    return query;
}

}  // namespace

// No message is repeated. With `R` = 0 all election timers are equal, which gives the most
// collisions.
Query daemons(std::uint32_t nodes, const Timing& timing) {
    const std::uint32_t answer = 2 * timing.most + 1, sync = 2 * answer;
    Query query;
    query.algorithm = "tempo";
    for (std::uint32_t id = 1; id <= nodes; ++id) query.ring.push_back(Id{id});
    query.late.assign(query.ring.begin() + 1, query.ring.end());
    query.timing = checker::Timing::bounded;
    query.delay_min = timing.least;
    query.delay_max = timing.most;
    query.properties = {"one-leader"};
    query.settings = {{"candidate", ms(timing.candidate)},
                      {"accept", ms(timing.accept)},
                      {"startup", ms(answer)},
                      {"startup-range", "0s"},
                      {"no-master", ms(timing.no_master)},
                      {"consistency", ms(answer)},
                      {"conflict", ms(answer)},
                      {"resend", ms(30 * answer)},
                      {"copies", "1"},
                      {"sync", ms(sync)},
                      {"r", ms(2 * sync)},
                      {"R", "0s"}};
    query.late_from = answer + timing.no_master + 1;
    query.late_until = query.late_from + timing.spread;
    query.late_all = true;
    // A newcomer asks, is answered, looks twice and says so.
    query.faults_from = query.late_until + 3 * timing.most + answer;
    query.ticks_max = query.faults_from + 3 * sync + query.late_from;
    return query;
}

Verdict explore(Query query, std::uint32_t threads) {
    query.threads = threads;
    return search_named(query);
}

bool as_expected(const Search& search, const Verdict& verdict) {
    return verdict.answer == (search.holds ? Verdict::Answer::holds : Verdict::Answer::violated);
}

// ---------------------------------------------------------------- T1

std::vector<Query> row_searches() {
    const auto late = [](std::uint32_t nodes, std::vector<Id> who, std::uint32_t from,
                         const Pairs& settings = {}) {
        Query query = with_settings(free_starts(daemons(nodes), from, 26), settings);
        query.late = std::move(who);
        query.properties = {"rows"};
        query.states_max = 400'000;
        return query;
    };
    const Pairs slow{{"conflict", "6ms"}, {"sync", "4ms"}};
    std::vector<Query> queries{
        facing(late(3, {Id{3}}, 0), {.calls = 1}),
        facing(late(3, {Id{3}}, 9), {.losses = 2}),
        facing(late(3, {Id{3}}, 9, slow), {.losses = 2}),
        facing(late(3, {Id{2}, Id{3}}, 7, {{"deputy", "on"}, {"announce", "5ms"}}), {.crashes = 1}),
        facing(late(2, {Id{2}}, 8, {{"candidate", "1ms"}, {"startup", "1ms"}}), {.calls = 1}),
        facing(late(3, {Id{2}, Id{3}}, 7, {{"candidate", "1ms"}, {"sync", "40ms"}}),
               {.crashes = 1, .calls = 2})};
    queries[3].detector = true;
    queries[5].ticks_max = 30;
    queries.push_back(
        late(2, {Id{2}}, 8, {{"masterreq", "repeated"}, {"copies", "2"}, {"startup", "6ms"}}));
    return queries;
}

std::uint64_t rows_never_fired(std::uint32_t threads) {
    std::uint64_t missing = ~std::uint64_t{0};
    for (const Query& query : row_searches())
        for (const char* heard : {"keep", "drop"})
            missing &= explore(with_settings(query, {{"at-startup", heard}}), threads).rows_missing;
    return missing;
}

// ---------------------------------------------------------------- thresholds

namespace {

bool has_one_master(const Query& query) {
    return explore(query, 1).answer == Verdict::Answer::holds;
}

// How far apart two start at least.
std::uint32_t least_offset(const Effort& effort, std::uint32_t least, std::uint32_t most) {
    for (std::uint32_t offset = 0;; ++offset)
        if (has_one_master(effort.read(
                free_starts(daemons(2, {.least = least, .most = most}), offset, 18 * most + 9))))
            return offset;
}

std::uint32_t least_candidate_timer(const Effort& effort, std::uint32_t least, std::uint32_t most) {
    for (std::uint32_t timer = 1;; ++timer)
        if (has_one_master(effort.read(facing(
                daemons(3, {.least = least, .most = most, .candidate = timer}), {.crashes = 1}))))
            return timer;
}

}  // namespace

Threshold start_offset(bool keeps) {
    if (keeps) return {"starts 0 apart", &least_offset, [](std::uint32_t) { return 0u; }};
    return {"starts k + 1 apart", &least_offset, [](std::uint32_t most) { return most + 1; }};
}
Threshold candidate_timer() {
    return {"a candidate timer of 2k + 1", &least_candidate_timer,
            [](std::uint32_t most) { return 2 * most + 1; }};
}

void add_threshold(const Effort& effort, const Threshold& threshold, Result& result) {
    const std::uint32_t longest = effort.quick ? 2 : 3;
    bool exact = true;
    for (std::uint32_t most = 1; most <= longest; ++most)
        for (std::uint32_t least = 0; least <= most; ++least)
            exact = exact && threshold.find(effort, least, most) == threshold.formula(most);
    if (!exact) result.status = Status::fail;
    result.measured += "; delays of 0 .. k to k, k up to " + std::to_string(longest) +
                       " ticks: never " + (exact ? "from " : "NOT from ") +
                       std::string(threshold.name) + " on, and not before";
}

// ---------------------------------------------------------------- T2, T9

std::vector<Search> start_searches(bool keeps) {
    Query stands = free_starts(daemons(3), 7, 20);
    return {{"2 machines, starts a delay apart", free_starts(daemons(2), 1, 30), keeps},
            {"2, starts more than a delay apart, delays 0 to 1",
             free_starts(daemons(2, {.least = 0}), 2, 30), true, 1356},
            {"3, newcomers find a master", free_starts(daemons(3), 7, 24), true, 5875},
            {"the same, one stands needlessly", facing(stands, {.calls = 1}), true, 21705},
            {"the same, two do", facing(stands, {.calls = 2}), true, 100685, true},
            {"3, the newcomers' master crashes before it answers",
             facing(free_starts(daemons(3), 7, 40), {.crashes = 1}), keeps},
            {"3, one newcomer's message gets lost",
             facing(free_starts(daemons(3), 7, 30), {.losses = 1}), false}};
}

namespace {

// One machine fails at any time, and then others: what an election bears.
std::vector<Search> crash_searches() {
    const checker::Budget one{.crashes = 1};
    Query random = with_settings(facing(daemons(3), one), {{"R", "2ms"}});
    const auto longer = [](std::uint32_t nodes) {  // two elections, one after the other
        Query query = facing(daemons(nodes), {.crashes = 2});
        query.ticks_max += 20;
        return query;
    };
    return {
        {"one of 3 fails", facing(daemons(3, {.spread = 4}), one), true, 4386},
        {"the same, delays 0 to 1", facing(daemons(3, {.least = 0, .spread = 4}), one), true,
         39760},
        {"the same, delays 1 to 2", facing(daemons(3, {.most = 2, .spread = 4}), one), true, 37399},
        {"the same, delays 1 to 2, candidate timer 4",
         facing(daemons(3, {.most = 2, .candidate = 4, .spread = 4}), one), false},
        {"two of 3 fail, be it the candidate or the new master", longer(3), true, 19545},
        {"one of 3 fails, election timers differ by 0 to 2", random, true, 2052932, true},
        {"one of 4 fails", facing(daemons(4), one), true, 11770},
        {"two of 4 fail", longer(4), true, 284736, true},
        {"one of 5 fails", facing(daemons(5), one), true, 1695011, true}};
}

// Lost and doubled messages: the candidates must miss each other, and every other slave one of
// them.
std::vector<Search> loss_searches() {
    const checker::Budget twice{.crashes = 1, .losses = 2};
    return {
        {"one of 3 fails, one message lost", facing(daemons(3), {.crashes = 1, .losses = 1}), true,
         20709},
        {"the same, two lost", facing(daemons(3), twice), false},
        {"one of 3 fails, two messages doubled",
         facing(daemons(3), {.crashes = 1, .duplicates = 2}), true, 13839},
        {"one of 4 fails, two lost", facing(daemons(4), twice), true, 1867971, true},
        {"the same, three lost", facing(daemons(4), {.crashes = 1, .losses = 3}), false, 0, true},
        {"one of 4 fails, accept timer of a delay",
         facing(daemons(4, {.accept = 1}), {.crashes = 1}), true, 12412},
        {"the same, two lost", facing(daemons(4, {.accept = 1}), twice), false, 0, true},
        {"the same, accept timer of two delays", facing(daemons(4, {.accept = 2}), twice), true,
         2024984, true}};
}

// A machine fails and comes back as a newcomer, while the others elect.
std::vector<Search> return_searches(bool keeps) {
    const auto back = [](const Timing& timing) {
        return facing(daemons(3, timing), {.crashes = 1, .recoveries = 1});
    };
    return {{"one of 3 fails and returns, no master timer 5", back({.no_master = 5, .spread = 3}),
             keeps},
            {"the same, no master timer 6", back({.no_master = 6, .spread = 3}), true, 59854},
            {"the same, delays 2, no master timer 9",
             back({.least = 2, .most = 2, .no_master = 9, .spread = 5}), keeps},
            {"the same, delays 2, no master timer 10",
             back({.least = 2, .most = 2, .no_master = 10, .spread = 5}), true, 109354},
            {"the same, delays 0 to 1, no master timer 6", back({.least = 0, .no_master = 6}),
             keeps, 0, true}};
}

}  // namespace

std::vector<Search> election_searches(bool keeps) {
    std::vector<Search> all = crash_searches();
    for (const auto& more : {loss_searches(), return_searches(keeps)})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

void add_searches(const Effort& effort, const std::vector<Search>& searches, Result& result) {
    for (const Search& search : searches) {
        if (search.only_full && effort.quick) continue;
        const Verdict verdict = explore(effort.read(search.query), effort.threads);
        const bool two = verdict.answer == Verdict::Answer::violated;
        const bool never = verdict.answer == Verdict::Answer::holds;
        if (!as_expected(search, verdict)) result.status = Status::fail;
        result.measured +=
            "; " + std::string(search.name) + ": " +
            (two     ? "two after " + std::to_string(verdict.searched.depth) + " steps"
             : never ? "never, " + std::to_string(verdict.searched.states) + " states"
                     : "not settled");
        if (two) result.exhibits.push_back({std::string(search.name), verdict.story.trace});
    }
}

}  // namespace conclave::claims::tempo
