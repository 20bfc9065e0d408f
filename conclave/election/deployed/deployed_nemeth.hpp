// The exchange in an agent: the numbers of its messages on the wire, and its timers.
//
// Its life signs are put off for days, as TEMPO's adjustment is: see tempo.hpp beside this file.
#pragma once

#include "conclave/core/tags.hpp"
#include "conclave/election/nemeth.hpp"

namespace conclave {

// clang-format off
template <> inline constexpr Tag tag_of<Nemeth::Candidate>   = 0x130;
template <> inline constexpr Tag tag_of<Nemeth::Acknowledge> = 0x131;
template <> inline constexpr Tag tag_of<Nemeth::Reorganize>  = 0x132;
template <> inline constexpr Tag tag_of<Nemeth::Prepared>    = 0x133;
template <> inline constexpr Tag tag_of<Nemeth::Commit>      = 0x134;
template <> inline constexpr Tag tag_of<Nemeth::Life>        = 0x135;
template <> inline constexpr Tag tag_of<Nemeth::Alive>       = 0x136;
// clang-format on

// From how soon a live member answers; a delay is half of that at most.
inline void tune(Nemeth::Settings& settings, Duration answer) {
    const Duration days = std::chrono::hours(24) * 2, delay = answer / 2;
    settings.life_timer = 2 * days;
    settings.life_interval = days;
    settings.candidate_timer = 3 * delay;
    settings.election_timer = 7 * delay;
    settings.reorganizing_timer = 3 * delay;
    settings.repair = true;
}

}  // namespace conclave
