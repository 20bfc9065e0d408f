// The rules that keep "at most one" true, and those that keep a group from waiting too long, by
// name, so that a test can switch one off and see what it is for.
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
    amnesiac_member_promises_nothing,
    memory_never_behind_disk,  // a turn whose store failed is not taken back
    silent_until_stored,       // promises and asks leave, and the own vote counts, when on disk
    folder_synchronised,       // what is reported as stored survives a crash of the machine
    former_work_gone,          // a restarted agent says Gone only when the former tree is empty
    // Without these nobody acts for longer than there is a reason for.
    witnesses_abstain,       // a witness takes no part in elections
    outbid_candidate_rests,  // a candidate that is refused twice lets its rival try
    departed_not_followed,   // by hearsay: a leader that said that it leaves, or is proved dead
};
inline constexpr std::uint32_t rule_count = 17;

// Each was missing once, and a fault of agents: docs/checking.md has them.
enum class RepairedRule : std::uint8_t {
    same_life_succeeds,          // of a ballot's owner: another life of it waits like anybody
    vain_vote_taken_back,        // R15: of a member for its own candidacy that never acted
    withdrawn_follows_nobody,    // a candidate that gives up does not believe that it leads
    beaten_repeats_nothing,      // asks of a candidate that knows a greater ballot
    reelected_stands_again,      // a member that is elected twice considers its candidacy twice
    closed_by_own_release,       // the ballot that was promised; a greater one's does not count
    rival_makes_way,             // a candidate that hears of a lease gives up
    rival_falls_in,              // ... and one that a majority tells of a leader follows that one
    deposed_asks_others,         // a leader whose lease expired stands when a majority has none
    deposed_backs_off,           // ... and listens to nobody for a heartbeat
    expired_lease_not_claimed,   // nor is a claim believed while another is promised
    stale_words_ignored,         // what waited while the agent was paused
    forgotten_lease_disowned,    // a leader that came back tells those that still follow it
    amnesiac_member_abstains,    // takes no part in elections
    ineligible_member_abstains,  // likewise
    departing_member_not_eligible,
    successor_stays_named,     // whoever is elected while the outgoing leader's work stops
    successor_goes_first,      // the others give it a heartbeat
    successor_need_not_rest,   // though it was refused, or led, lately
    better_stand_first,        // of those that have lost their leader at the same moment
    anew_under_greater_token,  // work that ended and is started again
};
inline constexpr std::uint32_t repaired_rule_count = 21;

// Of rosters that change: M2 to M10.
enum class RosterRule : std::uint8_t {
    majority_of_members,         // M2: of those after the pending change ...
    majority_of_former_members,  // ... and of those before it
    members_alone_count,         // a promise of somebody else, removed for instance, does not
    newcomers_count_by_answer,   // a newcomer counts once it has answered
    older_roster_refused,        // M3: an ask of an older stamp gets no promise
    refusal_tells_roster,        // ... and the newer roster as its answer
    newer_roster_stored,         // a newer one is on disk before the promise leaves
    done_by_own_stamp,           // M4: a change is done when stamped by the leader's own ballot
    done_by_stamped_asks,        // ... and by answers to asks that carry the stamp
    done_by_both_majorities,     // ... of the members and of those before
    completed_when_done,         // M5: `before` is dropped only then
    one_change_at_a_time,        // a second change waits for the first
    former_members_stand,        // M6: who is on its way out may still stand
    newcomers_answer_first,      // M7: a change begins when a majority after it has promised
    identity_of_the_disk,        // M8: a promise counts only from the disk that the roster lists
    silence_before_census,       // M9: R10 waits before it asks
    census_of_former_members,    // ... those before a pending change, too
    census_of_newest_roster,     // ... and the members of the newest roster that it hears of
    promise_never_shrinks,       // M10: a renewal under a shorter L ends nothing sooner
    restart_by_given_promise,    // the grace period is that of the promise, not of the roster
    silence_of_longest_promise,  // R10 waits for the longest L ever
    lease_time_of_its_ask,       // an answer to an ask counts by the D of its roster
};
inline constexpr std::uint32_t roster_rule_count = 22;
static_assert(rule_count + repaired_rule_count + roster_rule_count <= 64, "rules are bits");

// "quarantine-after-restart" ...: in their order.
inline std::vector<std::string> rule_words() {
    std::vector<std::string> list;
    for (std::uint32_t i = 0; i < rule_count; ++i)
        list.push_back(setting_key(name_of(static_cast<Rule>(i))));
    for (std::uint32_t i = 0; i < repaired_rule_count; ++i)
        list.push_back(setting_key(name_of(static_cast<RepairedRule>(i))));
    return list;
}
inline std::vector<std::string> roster_rule_words() {
    std::vector<std::string> list = rule_words();
    for (std::uint32_t i = 0; i < roster_rule_count; ++i)
        list.push_back(setting_key(name_of(static_cast<RosterRule>(i))));
    return list;
}

constexpr std::uint64_t bit(Rule rule) { return std::uint64_t{1} << static_cast<unsigned>(rule); }
constexpr std::uint64_t bit(RepairedRule rule) {
    return std::uint64_t{1} << (rule_count + static_cast<unsigned>(rule));
}
constexpr std::uint64_t bit(RosterRule rule) {
    return std::uint64_t{1} << (rule_count + repaired_rule_count + static_cast<unsigned>(rule));
}

template <class Turn, class AnyRule>
bool kept(const Turn& turn, AnyRule rule) {
    return (turn.rows.rules_off & bit(rule)) == 0;
}

}  // namespace conclave::lease
