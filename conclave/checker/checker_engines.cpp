#include "conclave/checker/checker_engines.hpp"

#include "conclave/checker/cell_search.hpp"
#include "conclave/checker/formation_search.hpp"
#include "conclave/checker/lease_search.hpp"
#include "conclave/checker/member_search.hpp"
#include "conclave/core/check.hpp"

namespace conclave::checker {

const Engine* find_engine(std::string_view name) {
    for (const Engine& engine : engines())
        if (engine.card->name == name) return &engine;
    for (const Engine* engine :
         {&lease_engine(), &roster_engine(), &cell_engine(), &formation_engine(), &member_engine()})
        if (engine->card->name == name) return engine;
    return nullptr;
}

Verdict settle_query(const Query& query) {
    const Engine* engine = find_engine(query.algorithm);
    check(engine != nullptr && engine->problem(query).empty(), "a query that can be asked");
    return engine->explore(query, {});
}

}  // namespace conclave::checker
