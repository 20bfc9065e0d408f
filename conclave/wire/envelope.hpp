// The envelope of an agent's datagrams: who says it to whom, in which group and session, and a
// proof.
//
// A datagram is 56 bytes of heading, the body, and, where the group has a key, an authentication
// tag of 16 bytes over all before it (keyed BLAKE2b). Numbers are little-endian:
//
//    0 "cncv"   4 version   5 sealed   6 kind   7 newest   8 group   16 sender   24 receiver
//   32 session   40 incarnation   44 key hint   48 sequence   56 body ...   tag
//
// The first eight bytes keep their place in every version; `newest` is the newest version that the
// sender can open. Whatever cannot be opened is dropped for a reason that the agent counts, and is
// never answered. The cheap reasons are looked at first.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "conclave/core/bytes.hpp"
#include "conclave/core/names.hpp"
#include "conclave/wire/group_key.hpp"

namespace conclave::wire {

enum class Kind : std::uint8_t {
    algorithm,    // the body is one message of the election or the lease: see body.hpp
    greeting,     // the body is a Greeting: see replay.hpp
    agent,        // the body is a message between agents
    death_notice  // as `algorithm`, said by the guardian of an agent that is dead
};
inline constexpr std::size_t kind_count = 4;

enum class Drop : std::uint8_t {
    too_short,
    too_long,
    foreign,      // no datagram of Conclave
    version,      // of a version that is not spoken here
    malformed,    // a heading or a body that nobody writes
    group,        // of another group
    unsealed,     // without a tag, though we have a key
    keyed,        // with a tag, though we have no key
    other_key,    // sealed with a key that we do not have
    forged,       // the tag is wrong
    misdirected,  // for another node; or for everyone, and sent to this one alone
    self,         // our own, come back by multicast
    twin,         // with the id of another session that is alive: a copied state file, or a replay
    stranger,     // of a session that has not yet proved that it is alive
    replayed,     // heard before, or too old to tell
    crowded,      // more strangers than we keep in mind
    unknown       // a message that this program does not know: of a newer one
};
inline constexpr std::size_t drop_count = 17;

struct Versions {
    std::uint8_t oldest, newest;
};
// All are opened, and sent is one that everybody can open, so that a group can be upgraded node by
// node: see Sessions::common. What each version added is in docs/wire.md.
inline constexpr Versions spoken{2, 4};
inline constexpr std::uint8_t rosters_from = 4;  // in this version, and all later ones

struct Envelope {
    static constexpr std::size_t heading = 56, longest = 4096;
    // A death notice has the last number: nothing of its session comes after it.
    static constexpr std::uint64_t last = ~std::uint64_t{0};
    // No node has this identity. What is said to everyone is sent to all of them.
    static constexpr std::uint64_t everyone = 0;

    std::uint8_t version = spoken.oldest, newest = spoken.newest;
    Kind kind = Kind::algorithm;
    std::uint64_t group = 0;   // digest_of(name)
    std::uint64_t sender = 0;  // random, kept in the state file
    std::uint64_t receiver = everyone;
    std::uint64_t session = 0;  // random, anew at every start
    std::uint32_t incarnation = 0;
    std::uint64_t sequence = 0;  // counts up in a session, whoever the datagram is for
    Bytes body{};

    bool operator==(const Envelope&) const = default;
};

// The longest body that a datagram can carry.
inline constexpr std::size_t body_most = Envelope::longest - Envelope::heading - Key::tag_size;

// By which key to judge what says of itself that it is sealed, or not: nullptr, by none.
std::variant<const Key*, Drop> find_key(const Keys& keys, bool sealed, std::uint32_t hint);

Bytes seal(const Envelope& envelope, const Keys& keys);

// Says nothing about self, strangers and replays: those need a memory, see replay.hpp.
std::variant<Envelope, Drop> open(Input datagram, std::uint64_t group, const Keys& keys,
                                  Versions versions = spoken);

}  // namespace conclave::wire
