// One member's promise: TEMPO's Accept state with a time limit.
//
// "I follow this ballot and no other for L on my clock." A promise is kept over a restart, by
// waiting, and over the loss of the disk, by asking the others.
#pragma once

#include <algorithm>

#include "conclave/lease/ballot.hpp"

namespace conclave::lease {

// Rules that a test leaves out; see Rule and RosterRule.
struct Lax {
    bool promise_shrinks = false;
    bool any_life_succeeds = false;
    bool closed_by_any = false;
};

struct Voter {
    // On disk
    Ballot highest;  // the greatest ballot promised
    // In memory
    Time until = long_ago;       // so long the promise to `highest` holds
    Time quarantine = long_ago;  // nobody new before
    Ballot closed;               // released: neither it nor a lesser one is promised again
    std::uint32_t last = 0;
    bool amnesiac = false;  // the disk was lost: promise nothing

    enum class Answer : std::uint8_t { refused, renewed, promised };

    // A ballot that never again gets a promise of mine. The one that I promised is closed by its
    // own release only: a greater one that stood in vain, and gave up, must not depose a leader.
    bool hopeless(const Ballot& ballot, const Lax& lax = {}) const {
        if (ballot == highest)
            return closed == highest || (lax.closed_by_any && less(highest, closed));
        return !less(closed, ballot) || !less(highest, ballot);
    }
    // A promise to somebody else keeps me from standing with any hope.
    bool bound_to_another(Id me, Time now) const { return highest.member != me && now < until; }
    // Whoever else says that it leads is believed when that is over.
    bool bound_to_third(Id me, Id other, Time now) const {
        return bound_to_another(me, now) && highest.member != other;
    }

    // R3. A renewal stores nothing, so a full disk does not depose a leader. A greater ballot of
    // the same life of the same owner needs no waiting: the owner stands anew only when its former
    // work is gone. Of two lives, the greater ballot need not be the later one: a member that lost
    // its disk may have forgotten it.
    // M10: a renewal under a shorter promise ends none that was given.
    Answer ask(const Ballot& ballot, std::uint32_t k, Time now, Duration promise,
               const Lax& lax = {}) {
        if (amnesiac || hopeless(ballot, lax)) return Answer::refused;
        if (ballot == highest) {
            if (k <= last) return Answer::refused;
            last = k;
            until = lax.promise_shrinks ? now + promise : std::max(until, now + promise);
            return Answer::renewed;
        }
        const bool succeeds = highest.stands() && ballot.member == highest.member &&
                              (ballot.nonce == highest.nonce || lax.any_life_succeeds);
        if (!succeeds && (now < until || now < quarantine)) return Answer::refused;
        highest = ballot;
        last = k;
        until = now + promise;
        return Answer::promised;
    }

    // R15. My own candidacy is over and never acted, so my vote for it counts for nobody: I am what
    // I was before, but for the promise of that time, which had run out.
    struct Former {
        Ballot highest;
        std::uint32_t last = 0;
    };
    void take_back(const Former& former) {
        highest = former.highest;
        last = former.last;
        until = quarantine = long_ago;
    }

    // R6. Only whom I promised to can give my promise back. A release that overtook its ask closes
    // the ballot, too, so that the ask does not bind me to somebody who has left.
    void release(const Ballot& ballot, bool own_only) {
        if (ballot == highest || !own_only) until = quarantine = long_ago;
        if (ballot == highest || less(highest, ballot)) closed = greater_of(closed, ballot);
    }

    // R5. Only `highest` can hold a promise of mine that is still alive.
    void restart(Time now, Duration promise) { quarantine = now + promise; }
};

}  // namespace conclave::lease
