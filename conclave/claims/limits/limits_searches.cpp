// X2: without a bound on delays, an algorithm that trusts its timeouts can be made to err.
#include "conclave/claims/limits/limits_rows.hpp"
#include "conclave/claims/measuring.hpp"

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
};

Verdict search_schedules(std::string_view algorithm, const char* property, const Effort& effort) {
    checker::Query query;
    query.algorithm = algorithm;
    query.ring = query.initiators = {Id{1}, Id{2}};
    query.properties = {property};
    // The graph of steps in which circles are looked for is larger than the reduced search.
    query.states_max = query.properties[0] == "eventually" ? 20'000 : 1'000'000;
    query.threads = effort.threads;
    return search_named(query);
}

}  // namespace

Result find_schedules(const Effort& effort) {
    Result result{.status = Status::pass,
                  .expected =
                      "\"Either liveness and safety is violated\": two leaders, or none for "
                      "ever, for each of " +
                      std::to_string(std::size(trusting)),
                  .measured = {},
                  .unit = "schedules",
                  .evidence =
                      "Two processes, no failure, no loss: messages only take as long as they "
                      "like, and timers fire when they like. Invitation is left out: it promises "
                      "one leader for each group, and every process is a group at first.",
                  .exhibits = {},
                  .plots = {}};
    for (const auto& [algorithm, why] : trusting) {
        const Verdict two = search_schedules(algorithm, "one-leader", effort);
        const Verdict none = search_schedules(algorithm, "eventually", effort);
        const bool unsafe = two.answer == Verdict::Answer::violated && two.searched.depth > 0;
        const bool endless = none.answer == Verdict::Answer::violated && none.circle > 0;
        if (!unsafe && !endless) result.status = Status::fail;
        result.measured +=
            (result.measured.empty() ? "" : "; ") + std::string(algorithm) + ": " +
            (unsafe ? "two leaders after " + std::to_string(two.searched.depth) + " steps, " +
                          std::string(why)
                    : "two leaders not found") +
            (endless ? "; none for ever, " + std::to_string(none.circle) + " steps repeat" : "");
        if (unsafe)
            result.exhibits.push_back(
                {std::string(algorithm) + ": " + std::string(why), two.story.trace});
    }
    return result;
}

}  // namespace conclave::claims
