// The rules that keep "at most one" true, by name, so that a test can switch one off and see two
// leaders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conclave/core/settings.hpp"

namespace conclave::lease {

enum class Rule : std::uint8_t {
    lease_shorter_than_promise,  // D = L (1-rho)/(1+rho) - margin
    quarantine_after_restart,
    highest_on_disk,
    used_on_disk,
    lease_from_answered_asks,
    silence_for_a_paused_agent,
    release_after_work_is_gone,
    release_of_own_ballot_only,
    nonce_in_ballots,
    blank_member_promises_nothing,
    memory_never_behind_disk,  // a turn whose store failed is not taken back
    silent_until_stored,       // promises and asks leave, and the own vote counts, when on disk
    folder_synchronised,       // what is reported as stored survives a crash of the machine
    former_work_gone,          // a restarted agent says Gone only when the former tree is empty
};
inline constexpr std::uint32_t rule_count = 14;

// "quarantine-after-restart" ...: in their order.
inline std::vector<std::string> rule_words() {
    std::vector<std::string> list;
    for (std::uint32_t i = 0; i < rule_count; ++i)
        list.push_back(setting_key(name_of(static_cast<Rule>(i))));
    return list;
}

constexpr std::uint64_t bit(Rule rule) { return std::uint64_t{1} << static_cast<unsigned>(rule); }

template <class Turn>
bool kept(const Turn& turn, Rule rule) {
    return (turn.rows.rules_off & bit(rule)) == 0;
}

}  // namespace conclave::lease
