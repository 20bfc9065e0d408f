// All algorithms in the checker, by name.
#pragma once

#include <span>
#include <string_view>

#include "conclave/checker/verdict.hpp"
#include "conclave/core/card.hpp"

namespace conclave::checker {

struct Engine {
    const Card* card;
    Verdict (*explore)(const Query&, const Report&);
    std::string (*problem)(const Query&);
    std::string (*draw)(const Query&, std::uint64_t);
};

std::span<const Engine> engines();
const Engine* find_engine(std::string_view name);

// For programs that ask: the query must be one that can be asked.
Verdict settle_query(const Query& query);

}  // namespace conclave::checker
