// What members of a lease say to each other, and what hosts tell them. The same around every
// election.
#pragma once

#include "conclave/core/tags.hpp"
#include "conclave/lease/roster.hpp"

namespace conclave::lease {

// The group as it was formed: asks of another group are never promised.
struct Seal {
    std::uint32_t version = 0;
    std::uint64_t digest = 0;
};

// What a message costs on the wire, its tag included: a roster that is fixed does not travel.
template <class Message>
std::uint64_t bits_with(const Message& message, const Roster& roster) {
    return 8 * (1 + encoded_size(message) - (roster.known() ? 0 : encoded_size(roster)));
}

struct Ask {  // promise me that you follow this ballot and no other
    Ballot ballot;
    std::uint32_t k;  // counts the asks of one ballot
    bool held;        // a renewal: I have the lease
    Seal seal;
    Roster roster{};  // as its owner knows it

    std::uint64_t bits() const { return bits_with(*this, roster); }
};
struct Promise {  // I do, for the promise time
    Ballot ballot;
    std::uint32_t k;
    std::uint32_t key = 0;  // of my disk (M8); 0: the roster is fixed

    std::uint64_t bits() const {
        return 8 * (1 + encoded_size(*this) - (key == 0 ? sizeof key : 0));
    }
};
struct Refusal {  // this ballot is hopeless, or its roster is older than mine
    Ballot ballot;
    Ballot known;  // the greatest that I know of
    Roster roster{};

    std::uint64_t bits() const { return bits_with(*this, roster); }
};
struct Release {  // the work under this ballot is gone
    Ballot ballot;
    Id successor;  // who should stand now; a hint
};
struct Census {  // I have no memory: what did you promise?
    std::uint32_t nonce;
};
struct Entry {
    std::uint32_t nonce;  // of the question
    Ballot highest;
    bool amnesiac;
    bool founder;            // you were amnesiac when I found all members amnesiac
    std::uint32_t my_nonce;  // of my own amnesiac life
    Roster roster{};         // the newest that I know

    std::uint64_t bits() const { return bits_with(*this, roster); }
};

// Said by the host, not by members:
struct Gone {};    // the work, the whole tree of it, is gone (R8); after a restart: the former work
struct Kept {};    // all that was stored so far is on disk ...
struct Unkept {};  // ... or it is not known whether it is (R13)
struct Anew {};    // the work ended by itself and shall start again, under a greater token
struct Resign {    // somebody wants me to give the lease back (R12)
    Id successor = nobody;
};
struct Rejoin {};  // I may lead again, and begin elections anew
struct Alter {     // an operator's: the leader is to change the roster
    Seats members{};
    Duration promise{}, lease{};  // L and D from then on
    std::uint32_t last = 0;       // the greatest id that was ever given, with these
    Titles titles{};              // of these members
    Duration heartbeat{};         // from then on; 0: as it is
};
// An operator's word that all members but these are gone for good (lease/forcing.hpp).
struct Force {
    std::vector<Id> kept{};
};
struct Vouch {};  // an operator's word that what the others remember is all there is (R10)

}  // namespace conclave::lease

// Their numbers on the wire, for ever.
// clang-format off
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::lease::Ask>     = 1;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::lease::Promise> = 2;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::lease::Refusal> = 3;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::lease::Release> = 4;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::lease::Census>  = 5;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::lease::Entry>   = 6;
// clang-format on

// Rosters travel from version 4 on: a group with a member that speaks less does not change.
template <>
inline constexpr auto conclave::growth_of<conclave::lease::Ask> =
    std::array{conclave::Growth{2, 4}, conclave::Growth{4, 5}};
template <>
inline constexpr auto conclave::growth_of<conclave::lease::Promise> =
    std::array{conclave::Growth{2, 2}, conclave::Growth{4, 3}};
template <>
inline constexpr auto conclave::growth_of<conclave::lease::Refusal> =
    std::array{conclave::Growth{2, 2}, conclave::Growth{4, 3}};
template <>
inline constexpr auto conclave::growth_of<conclave::lease::Entry> =
    std::array{conclave::Growth{2, 5}, conclave::Growth{4, 6}};
