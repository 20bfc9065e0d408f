// Names of groups, and which of two groups that meet takes over: for the invitation
// algorithm.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "conclave/core/id.hpp"
#include "conclave/core/reading.hpp"
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

// "Inversely proportional to one's priority", or by how many better coordinators were found.
enum class Wait : std::uint8_t { count, inverse };
// A coordinator that merges takes a better one's invitation, or goes on with its own.
enum class Merging : std::uint8_t { accept, ignore };

// Most charitable first: who accepts a better inviter while it merges never ends in a quarrel, with
// any priority or none (I3). A wait in inverse proportion grows with the square of N; in parts of a
// network that stay apart, one storm in 400 then took longer than a second to merge (I2).
inline constexpr std::array invitation_readings{
    Reading{"wait", "count",
            "the same words, priority being the place among the coordinators that were found"},
    Reading{"wait", "inverse",
            "\"make the delay inversely proportional to one's priority ... no reason for the "
            "highest-priority participant to delay\""},
    Reading{"merging", "accept",
            "\"some method to determine which of the perhaps many coordinators should take over\""},
    Reading{"merging", "ignore",
            "\"The coordinator that started the merge operation will become the coordinator of the "
            "new group\""},
};

constexpr bool ignores_lower(Priority way) {
    return way == Priority::ignore_lower || way == Priority::hasten;
}

}  // namespace conclave
