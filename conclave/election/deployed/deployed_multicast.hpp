// Multicast in an agent: the numbers of its messages on the wire, and its timer.
#pragma once

#include "conclave/core/tags.hpp"
#include "conclave/election/multicast.hpp"

namespace conclave {

// clang-format off
template <> inline constexpr Tag tag_of<Multicast::Election>    = 0x120;
template <> inline constexpr Tag tag_of<Multicast::Agree>       = 0x121;
template <> inline constexpr Tag tag_of<Multicast::Disagree>    = 0x122;
template <> inline constexpr Tag tag_of<Multicast::Coordinator> = 0x123;
// clang-format on

// From how soon a live member answers.
inline void tune(Multicast::Settings& settings, Duration answer) { settings.timeout = answer; }

}  // namespace conclave
