// One member's promise: TEMPO's Accept state with a time limit.
//
// "I follow this ballot and no other for L on my clock." A promise is kept over a restart, by
// waiting, and over the loss of the disk, by asking the others.
#pragma once

#include "conclave/core/time.hpp"
#include "conclave/lease/ballot.hpp"

namespace conclave::lease {

struct Voter {
    // On disk
    Ballot highest;  // the greatest ballot promised
    // In memory
    Time until{};       // so long the promise to `highest` holds
    Time quarantine{};  // nobody new before
    Ballot closed;      // released: neither it nor a lesser one is promised again
    std::uint32_t last = 0;
    bool blank = false;  // the disk was lost: promise nothing

    enum class Answer : std::uint8_t { refused, renewed, promised };

    // R3. A renewal stores nothing, so a full disk does not depose a leader.
    Answer ask(const Ballot& ballot, std::uint32_t k, Time now, Duration promise) {
        if (blank || !less(closed, ballot)) return Answer::refused;
        if (ballot == highest) {
            if (k <= last) return Answer::refused;
            last = k;
            until = now + promise;
            return Answer::renewed;
        }
        if (!less(highest, ballot) || now < until || now < quarantine) return Answer::refused;
        highest = ballot;
        last = k;
        until = now + promise;
        return Answer::promised;
    }

    // R6. Only whom I promised to can give my promise back.
    void release(const Ballot& ballot, bool own_only) {
        if (own_only && ballot != highest) return;
        until = quarantine = Time{0};
        closed = greater_of(closed, ballot);
    }

    // R5. Only `highest` can hold a promise of mine that is still alive.
    void restart(Time now, Duration promise) { quarantine = now + promise; }
};

}  // namespace conclave::lease
