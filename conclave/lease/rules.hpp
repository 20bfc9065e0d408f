// The rules that keep "at most one" true, by name, so that a test can switch one off and see two
// leaders.
#pragma once

#include <cstdint>

#include "conclave/core/turn.hpp"

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
};
inline constexpr std::uint32_t rule_count = 10;

template <class Turn>
bool kept(const Turn& turn, Rule rule) {
    return (turn.rows.rules_off >> static_cast<unsigned>(rule) & 1) == 0;
}

}  // namespace conclave::lease
