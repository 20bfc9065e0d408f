// Bully in an agent: the numbers of its messages on the wire, and its timers.
#pragma once

#include "conclave/core/tags.hpp"
#include "conclave/election/bully.hpp"

namespace conclave {

// clang-format off
template <> inline constexpr Tag tag_of<Bully::Election>    = 0x100;
template <> inline constexpr Tag tag_of<Bully::Disagree>    = 0x101;
template <> inline constexpr Tag tag_of<Bully::Coordinator> = 0x102;
template <> inline constexpr Tag tag_of<Bully::Ask>         = 0x103;
template <> inline constexpr Tag tag_of<Bully::Report>      = 0x104;
template <> inline constexpr Tag tag_of<Bully::State>       = 0x105;
// clang-format on

// From how soon a live member answers.
inline void tune(Bully::Settings& settings, Duration answer) {
    settings.timeout = answer;
    settings.patience = 3 * answer;
    settings.grace = 2 * answer;
}

}  // namespace conclave
