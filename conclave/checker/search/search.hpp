// Breadth first through every world, level by level, on several threads; so the first
// counterexample is a shortest one, unless steps were left out by reduction.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conclave/checker/query.hpp"
#include "conclave/checker/search/space.hpp"

namespace conclave::checker {

// Makes a view of the same system for one more thread.
using MakeSpace = std::function<std::unique_ptr<Space>()>;

struct Progress {
    std::uint64_t states, transitions, depth, frontier, bytes;
    double seconds;
};
using Report = std::function<void(const Progress&)>;

// A property of worlds: empty when it holds, else what is wrong.
struct Property {
    std::string name;
    bool only_quiet;  // asked only where nothing but faults can happen
    std::function<std::string(const Space&, const std::uint32_t*)> wrong;
    std::function<bool(const View&)> at_stake;  // could it have failed in such a world?
};

struct Found {
    std::string property;  // empty: nothing was found
    std::string what;
    std::vector<std::vector<std::uint32_t>> worlds;  // from the first to the wrong one
    std::vector<Step> steps;                         // between them
    bool shortest = false;                           // no run with fewer steps goes wrong
};

struct Searched {
    std::uint64_t states = 0, transitions = 0, depth = 0;
    bool complete = false;
    bool crowded = false;          // the limit came before all ways to start were known
    std::string outgrown;          // what grew beyond what can be held; empty: nothing did
    std::uint64_t set_bytes = 0;   // of the set of worlds, and ...
    std::uint64_t set_states = 0;  // ... how many it held
    std::uint64_t rows_fired = 0;
    std::uint64_t tested = 0;  // bits of the properties that had a chance to fail
    double seconds = 0;
    Found found;
};

Searched search(const Query& query, const MakeSpace& make_space,
                const std::vector<Property>& properties, const Report& report);

}  // namespace conclave::checker
