// Invitation in an agent: the numbers of its messages on the wire, and its timers.
#pragma once

#include "conclave/core/tags.hpp"
#include "conclave/election/invitation.hpp"

namespace conclave {

// clang-format off
template <> inline constexpr Tag tag_of<Invitation::Query>  = 0x110;
template <> inline constexpr Tag tag_of<Invitation::Answer> = 0x111;
template <> inline constexpr Tag tag_of<Invitation::Invite> = 0x112;
template <> inline constexpr Tag tag_of<Invitation::Ready>  = 0x113;
// clang-format on

// From how soon a live member answers.
inline void tune(Invitation::Settings& settings, Duration answer) {
    settings.timeout = answer;
    settings.period = 10 * answer;
    settings.presence = 45 * answer;
}

}  // namespace conclave
