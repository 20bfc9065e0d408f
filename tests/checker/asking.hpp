// Systems to search that several tests ask about.
#pragma once

#include <algorithm>
#include <ostream>
#include <string_view>

#include "conclave/checker/checker_engines.hpp"

namespace conclave::checker {

// The name of a test that is tried with every engine.
inline void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.card->name; }

inline Verdict ask(const Query& query) { return find_engine(query.algorithm)->explore(query, {}); }

// So many nodes in ascending order, all of which call an election when they start.
inline Query all_call(std::string_view algorithm, std::uint32_t nodes) {
    Query query;
    query.algorithm = algorithm;
    for (std::uint32_t id = 1; id <= nodes; ++id) query.ring.push_back(Id{id});
    query.initiators = query.ring;
    return query;
}

// Chang & Roberts where ids fall in the direction of travel, in single steps.
inline Query worst_ring(std::uint32_t nodes) {
    Query query = all_call("chang-roberts", nodes);
    std::reverse(query.ring.begin(), query.ring.end());
    query.start_steps = true;
    query.reduce = false;
    return query;
}

// Messages take 0 or 1 tick of a millisecond, and the search ends after so many ticks.
inline Query timed(Query query, std::uint32_t ticks) {
    query.timing = Timing::bounded;
    query.ticks_max = ticks;
    return query;
}

}  // namespace conclave::checker
