// Keeps a message readable by programs of other versions: its tag and its growth.
//
// A tag is a number that a message has for ever: it is neither changed nor given to another one,
// and no order of declarations matters. The lease has 1 to 63, agents have 64 to 127, each
// algorithm that they run sixteen of its own from 256 on. A message without a tag never leaves its
// process.
//
// A message grows only at its end: a version adds fields behind those that were there, and the
// structs and enumerations inside it stay as they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace conclave {

using Tag = std::uint16_t;

template <class Message>
inline constexpr Tag tag_of = 0;

// From this version on, a message has so many fields.
struct Growth {
    std::uint8_t version;
    std::size_t fields;
};
// Oldest first. Empty: the message has all its fields in every version.
template <class Message>
inline constexpr std::array<Growth, 0> growth_of{};

}  // namespace conclave
