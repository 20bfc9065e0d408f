// What members of a lease say to each other, and what hosts tell them. The same around every
// election.
#pragma once

#include "conclave/core/tags.hpp"
#include "conclave/lease/ballot.hpp"

namespace conclave::lease {

// The members as they were fixed: asks of another roster are never promised.
struct Roster {
    std::uint32_t version = 0;
    std::uint64_t digest = 0;
};

struct Ask {  // promise me that you follow this ballot and no other
    Ballot ballot;
    std::uint32_t k;  // counts the asks of one ballot
    bool held;        // a renewal: I have the lease
    Roster roster;
};
struct Promise {  // I do, for the promise time
    Ballot ballot;
    std::uint32_t k;
};
struct Refusal {  // this ballot is hopeless: I know of a greater one
    Ballot ballot;
    Ballot known;
};
struct Release {  // the work under this ballot is gone
    Ballot ballot;
    Id heir;  // who should stand now; a hint
};
struct Census {  // I have no memory: what did you promise?
    std::uint32_t nonce;
};
struct Entry {
    std::uint32_t nonce;  // of the question
    Ballot highest;
    bool blank;
    bool founder;            // you were blank when I found all members blank
    std::uint32_t my_nonce;  // of my own blank life
};

// Said by the host, not by members:
struct Gone {};    // the work, the whole tree of it, is gone (R8); after a restart: the former work
struct Kept {};    // all that was stored so far is on disk ...
struct Unkept {};  // ... or it is not known whether it is (R13)
struct Anew {};    // the work ended by itself and shall start again, under a greater token
struct Resign {    // somebody wants me to give the lease back (R12)
    Id heir = nobody;
};
struct Rejoin {};  // I may lead again, and begin elections anew
struct Vouch {};   // an operator's word that what the others remember is all there is (R10)

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
