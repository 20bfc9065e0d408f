// The papers' conditions as searches. Every message takes exactly one tick of a millisecond unless
// said otherwise, timers fire when due, events at equal times come in every order.
#pragma once

#include <utility>

#include "tests/checker/asking.hpp"

namespace conclave::checker {

inline Query in_step(std::string_view algorithm, std::uint32_t nodes) {
    Query query = all_call(algorithm, nodes);
    query.timing = Timing::bounded;
    query.delay_min = query.delay_max = 1;
    return query;
}

// Up to two processes fail at any time of an election that all call; an answer takes two ticks, so
// the first timeout is three.
inline Query failing_bully(std::uint32_t nodes) {
    Query query = in_step("bully", nodes);
    query.settings = {{"timeout", "3ms"}, {"patience", "7ms"}, {"grace", "7ms"}, {"listen", "off"}};
    query.budget.crashes = 2;
    query.properties = {"one-leader", "agreement", "best"};
    return query;
}

inline Query exchange(std::uint32_t nodes, std::uint32_t ticks) {
    Query query = in_step("nemeth", nodes);
    query.initiators.clear();
    query.ticks_max = ticks;
    query.properties = {"one-leader"};
    return query;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// A delay is one tick, so the candidate timer is three; no message is repeated. The first machine
// comes up at 0 and is master at 6.
inline Query daemons(std::uint32_t nodes, std::uint32_t ticks, const Pairs& other = {}) {
    Query query = in_step("tempo", nodes);
    query.initiators.clear();
    query.ticks_max = ticks;
    query.properties = {"one-leader"};
    query.settings = {{"candidate", "3ms"},    {"accept", "20ms"},   {"startup", "3ms"},
                      {"startup-range", "0s"}, {"no-master", "3ms"}, {"consistency", "3ms"},
                      {"conflict", "3ms"},     {"resend", "90ms"},   {"copies", "1"},
                      {"sync", "6ms"},         {"r", "12ms"},        {"R", "0s"}};
    query.settings.insert(query.settings.end(), other.begin(), other.end());
    return query;
}
inline Query late(Query query, std::vector<Id> who, std::uint32_t from) {
    query.late = std::move(who);
    query.late_from = from;
    return query;
}

inline bool holds(const Query& query) { return ask(query).answer == Verdict::Answer::holds; }
inline bool violated(const Query& query) { return ask(query).answer == Verdict::Answer::violated; }

}  // namespace conclave::checker
