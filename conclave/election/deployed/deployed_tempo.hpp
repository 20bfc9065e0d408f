// TEMPO in an agent: the numbers of its messages on the wire, and its timers.
//
// The renewals of the lease are the heartbeat, and the member's failure detector reads them.
// TEMPO's periodical adjustment, which is a heartbeat too, is put off for days: what it would
// notice, the detector has noticed long before, and called an election.
#pragma once

#include "conclave/core/tags.hpp"
#include "conclave/election/tempo.hpp"

namespace conclave {

// clang-format off
template <> inline constexpr Tag tag_of<Numbered<Tsp::Masterreq>> = 0x140;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Masterack>> = 0x141;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Masterup>>  = 0x142;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Slaveup>>   = 0x143;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Election>>  = 0x144;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Accept>>    = 0x145;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Refuse>>    = 0x146;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Conflict>>  = 0x147;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Resolve>>   = 0x148;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Quit>>      = 0x149;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Sync>>      = 0x14a;
template <> inline constexpr Tag tag_of<Numbered<Tsp::Deputy>>    = 0x14b;
template <> inline constexpr Tag tag_of<Numbered<Receipt>>        = 0x14f;
// clang-format on

// From how soon a live member answers.
inline void tune(TempoSettings& settings, Duration answer) {
    const Duration days = std::chrono::hours(24) * 2;
    settings.sync = days;
    settings.r = 2 * days;
    settings.R = days;
    settings.candidate = answer;
    settings.accept = 10 * answer;
    settings.startup = 2 * answer;
    settings.startup_range = 10 * answer;
    settings.no_master = 2 * answer;
    settings.consistency = answer;
    settings.conflict = answer;
    settings.resend = answer / 2;
    settings.ranked = true;
}

}  // namespace conclave
