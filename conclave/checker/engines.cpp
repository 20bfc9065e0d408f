#include "conclave/checker/engines.hpp"

#include "conclave/checker/lease.hpp"
#include "conclave/core/check.hpp"

namespace conclave::checker {

const Engine* find_engine(std::string_view name) {
    for (const Engine& engine : engines())
        if (engine.card->name == name) return &engine;
    return name == lease_engine().card->name ? &lease_engine() : nullptr;
}

Verdict settle_query(const Query& query) {
    const Engine* engine = find_engine(query.algorithm);
    check(engine != nullptr && engine->problem(query).empty(), "a query that can be asked");
    return engine->explore(query, {});
}

}  // namespace conclave::checker
