// X2: without a bound on delays, an algorithm that trusts its timeouts can be made to err.
#include "conclave/checker/engines.hpp"
#include "conclave/claims/limits_rows.hpp"

namespace conclave::claims {

namespace {

using checker::Verdict;

// All that decide by timeouts, and what the schedule exploits.
struct Trusting {
    std::string_view algorithm, why;
};
constexpr Trusting trusting[] = {
    {"bully", "an answer that is late counts as a death"},
    {"consensus", "as bully"},
    {"multicast", "a higher process that is late counts as dead"},
    {"nemeth", "a candidacy that is late does not make the other yield"},
    {"tempo", "a request that is late finds no master"},
    {"invitation", "every group has its coordinator until an invitation arrives"},
};

Verdict search_schedules(std::string_view algorithm, const Effort& effort) {
    checker::Query query;
    query.algorithm = algorithm;
    query.ring = query.initiators = {Id{1}, Id{2}};
    query.properties = {"one-leader"};
    query.states_max = 1'000'000;
    query.threads = effort.threads;
    return checker::settle_query(query);
}

}  // namespace

Result find_schedules(const Effort& effort) {
    Result result{.status = Status::pass,
                  .expected = "two leaders, or none for ever, for each of " +
                              std::to_string(std::size(trusting)),
                  .unit = "schedules",
                  .evidence =
                      "Two processes, no failure, no loss: messages only take as long as "
                      "they like, and timers fire when they like."};
    for (const auto& [algorithm, why] : trusting) {
        const Verdict verdict = search_schedules(algorithm, effort);
        const bool found = verdict.answer == Verdict::Answer::violated;
        if (!found) result.status = Status::fail;
        result.measured += (result.measured.empty() ? "" : "; ") + std::string(algorithm) +
                           (found ? " two leaders after " + std::to_string(verdict.searched.depth) +
                                        " steps: " + std::string(why)
                                  : " nothing");
        if (found)
            result.exhibits.push_back(
                {std::string(algorithm) + ": " + std::string(why), verdict.story.trace});
    }
    return result;
}

}  // namespace conclave::claims
