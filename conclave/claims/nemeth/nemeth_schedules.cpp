#include "conclave/claims/nemeth/nemeth_schedules.hpp"

#include "conclave/claims/measuring.hpp"

namespace conclave::claims::exchange {

using checker::Query;
using checker::Verdict;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t nodes = 4, systems = 1u << (nodes * (nodes - 1));

Query exchange_of(std::uint32_t size, std::uint32_t ticks) {
    Query query;
    query.algorithm = "nemeth";
    for (std::uint32_t id = 1; id <= size; ++id) query.ring.push_back(Id{id});
    query.timing = checker::Timing::bounded;
    query.ticks_max = ticks;
    query.properties = {"one-leader"};
    return query;
}
Verdict::Answer answer_to(const Query& query, std::uint64_t* states = nullptr) {
    const Verdict verdict = search_named(query);
    if (states != nullptr) *states += verdict.searched.states;
    return verdict.answer;
}

}  // namespace

Query system_of(const Family& family, std::uint32_t n) {
    Query query = exchange_of(nodes, family.ticks);
    query.tick = 500us;
    query.delay_min = 1;
    query.delay_max = 2;
    query.budget.crashes = family.crashes;
    query.settings = {{"clocks", "counter"}};
    query.settings.insert(query.settings.end(), family.settings.begin(), family.settings.end());
    std::uint32_t link = 0;
    for (const Id from : query.ring)
        for (const Id to : query.ring)
            if (from != to) query.delays.push_back({from, to, 1 + (n >> link++ & 1)});
    return query;
}

Harvest search_family(const Family& family, std::uint32_t threads) {
    Harvest harvest;
    for (std::uint32_t n = 0; n < systems; n += family.stride) {
        Query query = system_of(family, n);
        query.threads = threads;
        const Verdict::Answer answer = answer_to(query, &harvest.states);
        ++harvest.systems;
        harvest.violated += answer == Verdict::Answer::violated;
        harvest.unsettled += answer == Verdict::Answer::unknown;
    }
    return harvest;
}

std::string tell(const Family& family, const Harvest& harvest) {
    return std::string(family.name) + ": two in " + std::to_string(harvest.violated) + " of " +
           std::to_string(harvest.systems) + " systems, " + std::to_string(harvest.states) +
           " states";
}

std::uint32_t least_election_timer(std::uint32_t least, std::uint32_t most) {
    const std::uint32_t candidate = 2 * most + 1;
    const auto ms = [](std::uint32_t ticks) { return std::to_string(ticks) + "ms"; };
    for (std::uint32_t timer = candidate;; ++timer) {
        Query query = exchange_of(2, 6 * candidate + 20);
        query.delay_min = least;
        query.delay_max = most;
        query.settings = {{"clocks", "counter"},
                          {"candidate-timer", ms(candidate)},
                          {"election-timer", ms(timer)},
                          {"reorganizing-timer", ms(most)},
                          {"life-interval", ms(2 * most + 1)},
                          {"life-timer", ms(4 * most + 4)}};
        if (answer_to(query) == Verdict::Answer::holds) return timer;
    }
}

}  // namespace conclave::claims::exchange
