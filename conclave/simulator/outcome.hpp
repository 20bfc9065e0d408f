// The outcome of a run, for people and for programs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"

namespace conclave::simulator {

struct Violation {
    std::string property;  // "one leader", "invariant", "agreement", "best elected", "informed",
                           // "decision", "unfinished", "token", "progress"
    Time time{};
    std::string what;
};

struct Outcome {
    enum class End : std::uint8_t { agreed, split, leaderless };

    std::string algorithm;
    std::uint32_t nodes = 0;
    std::uint64_t seed = 0;
    End end = End::leaderless;
    Id leader = nobody;                    // whom all live nodes follow, if they agree
    std::map<Id, std::uint32_t> believed;  // how many live nodes follow whom
    std::uint64_t messages = 0;            // per addressee; a broadcast counts once
    std::uint64_t broadcasts = 0;          // how many of them were broadcasts
    std::uint64_t copies = 0;              // per receiver, broadcasts too
    std::uint64_t delivered = 0;
    std::vector<std::pair<std::string_view, std::uint64_t>> by_type;
    std::uint64_t bits = 0;  // as encoded, a broadcast once
    // From the first turn that sent something to the last arrival of a run that falls quiet, else
    // to the last change of anybody's belief.
    Duration turnaround{};
    Time ended{};
    bool quiet = false;  // nothing was left to happen
    std::uint64_t events = 0;
    std::uint64_t reports = 0;  // what algorithms reported as impossible
    std::uint64_t rows_fired = 0;
    // With a lease: the longest time without work that the bound speaks of, and the bound.
    Duration idle{}, bound{};
    std::uint64_t terms = 0;   // with a lease: how many tokens the work was started under
    std::uint64_t digest = 0;  // of everything that happened, in order
    std::vector<Violation> violations;
};

std::string to_json(const Outcome& outcome);
// A few lines for a terminal.
std::string summarise(const Outcome& outcome);

}  // namespace conclave::simulator
