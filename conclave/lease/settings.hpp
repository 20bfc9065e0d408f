// What a lease is told by its host, and what a member must not forget.
#pragma once

#include <vector>

#include "conclave/lease/messages.hpp"
#include "conclave/lease/register.hpp"

namespace conclave::lease {

template <class Inner>
struct LeaseSettings {
    Inner inner{};                                      // of the election
    Duration promise = std::chrono::milliseconds(300);  // L
    Duration lease = std::chrono::milliseconds(280);    // D; see lease_time()
    Duration heartbeat = std::chrono::milliseconds(100);
    Duration repeat{};         // an ask that no majority has answered so soon is repeated; 0: never
    std::uint32_t quorum = 0;  // so many promises are a lease; 0: those of a majority
    Duration enough{};         // work starts only with more than this left of the lease
    bool witness = false;      // votes and never stands
    bool barred = false;       // does not stand now
    bool preempt = true;       // gives way when another is elected
    bool formed = false;       // the roster was formed before the first start of all
    Roster roster{};
    std::uint64_t round_floor = 0;  // R11: Unix milliseconds, if the host's clock is plausible
    std::uint64_t nonces = std::uint64_t{1} << 32;  // so many different ones are drawn
    // Bounds for exhaustive search; 0: no limit.
    std::uint32_t asks_max = 0;    // of one ballot
    std::uint32_t rounds_max = 0;  // nobody stands in a later round
};

template <class Inner>
struct LeaseStored {
    Inner inner{};  // of the election
    Ballot highest, used;
    bool formed = false;
    std::uint32_t life = 0;  // a blank life outlasts restarts: it promises nothing; 0: none
    std::vector<BlankLife> founders;
    Duration promise{};  // so long holds what was promised last
};

// Does it stand there? `soon`: when the last store is done.
enum class OnDisk : std::uint8_t { yes, soon, no };

}  // namespace conclave::lease
