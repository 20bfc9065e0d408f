// Németh's exchange where links differ: four nodes, each link with a delay of its own.
//
// If every message may take any time up to k, four nodes have more runs than can be searched. If
// every message of a link takes equally long, they have few, and all links can be given all delays.
#pragma once

#include <string>
#include <vector>

#include "conclave/checker/query.hpp"

namespace conclave::claims::exchange {

// The common part of all systems of a family.
struct Family {
    std::string_view name;
    std::uint32_t ticks = 40;  // k is two
    std::uint8_t crashes = 0;
    std::vector<std::pair<std::string, std::string>> settings{};
    std::uint32_t stride = 1;  // every so many-th system is searched
    bool holds = true;         // never two coordinators, in any of them; else in some
};

struct Harvest {
    std::uint64_t systems = 0, states = 0, violated = 0, unsettled = 0;
};

// The n-th of 4096 systems: each of twelve links takes one tick or two.
checker::Query system_of(const Family& family, std::uint32_t n);
Harvest search_family(const Family& family, std::uint32_t threads);
std::string tell(const Family& family, const Harvest& harvest);

// How long, in ticks, the election timer must be at least where messages take `least` to `most`
// ticks and T = 2 `most` + 1: the first for which two nodes never have two coordinators.
std::uint32_t least_election_timer(std::uint32_t least, std::uint32_t most);

}  // namespace conclave::claims::exchange
