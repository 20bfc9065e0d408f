// TEMPO in an agent: the numbers of its messages on the wire, and its timers.
//
// The renewals of the lease are the heartbeat, and the member's failure detector reads them.
// TEMPO's periodical adjustment, which is a heartbeat too, is put off for days: what it would
// notice, the detector has noticed long before, and called an election.
//
// Two readings differ from what the tools run. A member that kept what it heard in Start-up would
// leave the first term to an election timer of days; and a question that is lost needs no second
// one, for the lease and not the question keeps a newcomer from acting beside a leader.
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
    settings.reading.at_startup = TempoReading::AtStartup::drop;
    settings.reading.masterreq = TempoReading::Asking::once;
}

}  // namespace conclave
