// A shared cell: one small value with a version, as any engine with compare-and-set can keep it.
//
// etcd and PostgreSQL are such engines. Nothing else of theirs is used, no time to live and no lock
// of their own, so that the argument for "at most one" is the one that is explored here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conclave/core/settings.hpp"
#include "conclave/lease/rules.hpp"

namespace conclave::lease {

using conclave::operator==;

// The value: who holds the lease, and for how long after it was written.
struct Claim {
    std::uint64_t life = 0;  // one life of one holder's agent; 0: the lease is free
    std::uint32_t beat = 0;  // number of the write, in that life
    Duration promise{};      // L of the holder: nobody takes the cell before
    bool free() const { return life == 0; }
};

struct Contents {
    std::uint64_t version = 0;  // greater after every write; 0: nothing is known of the cell
    Claim claim{};
};

// What is said to a cell, and its answer.
struct Read {};
struct Write {  // if the version is still this one
    std::uint64_t version;
    Claim claim;
};
struct Told {  // the contents afterwards, or a change that is watched for
    Contents now;
};

enum class CellRule : std::uint8_t {
    claim_shorter_than_promise,  // D = L (1-rho)/(1+rho) - margin
    claim_from_its_sending,      // a holder counts from when it sent the write, not from the answer
    silence_from_its_sight,      // a candidate counts from when it saw the version, not from asking
    silence_of_the_holder,       // ... and waits for the holder's L, not for its own
    version_compared,            // a write of an older version changes nothing
    writes_survive_failover,     // what the cell has answered is never lost
    life_in_claims,              // a holder that comes back is somebody else
    freed_after_work_is_gone,    // a holder frees the cell when nothing of its command is left
    freed_claim_forfeited,       // ... and no former write of its own counts any more
    note_of_the_dead_only,       // a guardian frees the cell for an agent that is dead, not paused
    note_of_its_agent_only,      // ... if the claim is that agent's
};
inline constexpr std::uint32_t cell_rule_count = 11;
// In the places of the rules of a lease among members, of which a cell has none.
constexpr std::uint64_t bit(CellRule rule) {
    return std::uint64_t{1} << static_cast<unsigned>(rule);
}
// "claim-shorter-than-promise" ...: in their order.
inline std::vector<std::string> cell_rule_words() {
    std::vector<std::string> list;
    for (std::uint32_t i = 0; i < cell_rule_count; ++i)
        list.push_back(setting_key(name_of(static_cast<CellRule>(i))));
    return list;
}

}  // namespace conclave::lease
