// The numbers of the election messages on the wire: see core/tags.hpp. Sixteen for each algorithm
// that agents run; add to them, and never change one.
#pragma once

#include "conclave/core/tags.hpp"
#include "conclave/election/tuning.hpp"

namespace conclave {

// clang-format off
template <> inline constexpr Tag tag_of<Bully::Election>    = 0x100;
template <> inline constexpr Tag tag_of<Bully::Disagree>    = 0x101;
template <> inline constexpr Tag tag_of<Bully::Coordinator> = 0x102;
template <> inline constexpr Tag tag_of<Bully::Ask>         = 0x103;
template <> inline constexpr Tag tag_of<Bully::Report>      = 0x104;
template <> inline constexpr Tag tag_of<Bully::State>       = 0x105;

template <> inline constexpr Tag tag_of<Invitation::Query>  = 0x110;
template <> inline constexpr Tag tag_of<Invitation::Answer> = 0x111;
template <> inline constexpr Tag tag_of<Invitation::Invite> = 0x112;
template <> inline constexpr Tag tag_of<Invitation::Ready>  = 0x113;

template <> inline constexpr Tag tag_of<Multicast::Election>    = 0x120;
template <> inline constexpr Tag tag_of<Multicast::Agree>       = 0x121;
template <> inline constexpr Tag tag_of<Multicast::Disagree>    = 0x122;
template <> inline constexpr Tag tag_of<Multicast::Coordinator> = 0x123;

template <> inline constexpr Tag tag_of<Nemeth::Candidate>   = 0x130;
template <> inline constexpr Tag tag_of<Nemeth::Acknowledge> = 0x131;
template <> inline constexpr Tag tag_of<Nemeth::Reorganize>  = 0x132;
template <> inline constexpr Tag tag_of<Nemeth::Prepared>    = 0x133;
template <> inline constexpr Tag tag_of<Nemeth::Commit>      = 0x134;
template <> inline constexpr Tag tag_of<Nemeth::Life>        = 0x135;
template <> inline constexpr Tag tag_of<Nemeth::Alive>       = 0x136;

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

}  // namespace conclave
