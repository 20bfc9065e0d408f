// What groups are called, and which of two groups that meet takes over: for the invitation
// algorithm.
#pragma once

#include <cstdint>
#include <string>

#include "conclave/core/id.hpp"
#include "conclave/core/text.hpp"

namespace conclave {

// Unique, and never used again: the founder counts its groups, on stable store.
struct GroupNumber {
    std::uint32_t sequence = 0;
    Id founder = nobody;

    std::string name() const { return text(sequence) + "." + text(founder); }
};

// "There should be some priority among the coordinators": the ways that Lecture 9 names, for when
// several of them look for each other at once.
enum class Priority : std::uint8_t {
    none,          // everybody invites everybody
    ignore_lower,  // "higher-numbered participants ignore queries from lower-level participants"
    hasten,        // ... and "receiving the query will prompt" them "to merge sooner"
    only_lower,    // "a coordinator only to try to merge lower-level coordinators"
    delay,         // they wait before they merge, "inversely proportional to one's priority"
};
constexpr bool ignores_lower(Priority way) {
    return way == Priority::ignore_lower || way == Priority::hasten;
}

}  // namespace conclave
