// A claim to lead: <round, member, nonce>.
//
// Claims are ordered by round, then member; they are *the same* only if the nonce agrees too, so
// that a member that lost its disk and stands again in a round it had forgotten gets no answer
// meant for its former self. The nonce is drawn once in each life of an agent: in one life rounds
// only grow, so the greater of two ballots with one nonce is the later.
#pragma once

#include <cstdint>

#include "conclave/core/fields.hpp"
#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"

namespace conclave::lease {

using conclave::operator==;

inline constexpr Time long_ago = -never / 2;  // before anything, on whatever clock

// Time passes where every turn happens at time 0, as in exhaustive search: what can no longer
// matter is equally long over.
constexpr void move_back(Time& time, Duration by, Duration matters = {}) {
    time = time - by + matters > Time{0} ? time - by : long_ago;
}

struct Ballot {
    std::uint64_t round = 0;
    Id member = nobody;
    std::uint32_t nonce = 0;

    bool stands() const { return member != nobody; }
};

constexpr bool less(const Ballot& a, const Ballot& b) {
    return a.round != b.round ? a.round < b.round : a.member < b.member;
}
constexpr const Ballot& greater_of(const Ballot& a, const Ballot& b) { return less(a, b) ? b : a; }

// What the work carries to whatever it writes to: later leaders have greater tokens.
constexpr std::uint64_t token_of(const Ballot& ballot) {
    return ballot.round << 16 | static_cast<std::uint32_t>(ballot.member);
}

}  // namespace conclave::lease
