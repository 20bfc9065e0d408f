// What a lease is told by its host, and what a member must not forget.
#pragma once

#include <tuple>
#include <vector>

#include "conclave/lease/lease_messages.hpp"
#include "conclave/lease/register.hpp"

namespace conclave::lease {

// Where rosters change: how the first one is known before anything was said.
struct FirstRoster {
    std::uint32_t founders = 0;  // the first so many of the group are in it; 0: all, for ever
    Duration first_promise{};    // its L; 0: as this member is set
    Duration first_lease{};      // its D; 0: as this member is set
    bool joins = false;  // a member without a state file is a newcomer: it asks nobody (R10)
    // The first so many led once and wrote a roster of themselves alone, which nobody else heard
    // of.
    std::uint32_t left = 0;
};

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
    bool ineligible = false;   // does not stand now
    bool preempt = true;       // gives way when another is elected
    bool formed = false;       // the roster was formed before the first start of all
    Seal seal{};
    FirstRoster first{};
    std::uint64_t round_floor = 0;  // R11: Unix milliseconds, if the host's clock is plausible
    std::uint64_t nonces = std::uint64_t{1} << 32;  // so many different ones are drawn
    // Bounds for exhaustive search; 0: no limit.
    std::uint32_t asks_max = 0;    // of one ballot
    std::uint32_t rounds_max = 0;  // nobody stands in a later round
    bool renewals = true;          // off: only elections and changes of the roster ask

    static constexpr auto parts(auto& self) {
        return std::tie(self.inner, self.promise, self.lease, self.heartbeat, self.repeat,
                        self.quorum, self.enough, self.witness, self.ineligible, self.preempt,
                        self.formed, self.seal, self.first, self.round_floor, self.nonces,
                        self.asks_max, self.rounds_max, self.renewals);
    }
};

template <class Inner>
struct LeaseStored {
    Inner inner{};  // of the election
    Ballot highest, used;
    bool formed = false;
    std::uint32_t life = 0;  // an amnesiac life outlasts restarts: it promises nothing; 0: none
    std::vector<AmnesiacLife> founders;
    Duration promise{};     // so long holds what was promised last
    Roster roster{};        // the newest that it knows
    std::uint32_t key = 0;  // of this disk, where rosters change (M8)
};

// Does it stand there? `soon`: when the last store is done.
enum class OnDisk : std::uint8_t { yes, soon, no };

}  // namespace conclave::lease

// In a state file: format 1 is what a member with a fixed roster stores.
template <class Inner>
inline constexpr auto conclave::growth_of<conclave::lease::LeaseStored<Inner>> =
    std::array{conclave::Growth{1, 7}, conclave::Growth{2, 9}};
