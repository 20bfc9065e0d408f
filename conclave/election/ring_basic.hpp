// CS425 lecture (2023, Mittal), "Ring Election Protocol (basic version)".
//
// A rank travels clockwise round a one-way ring; every process that is better puts its own rank in
// its place, so one that comes home is the best, and its owner tells everybody. Nothing is
// remembered, so every initiator's message makes the whole journey: with d hops from the initiator
// to the winner 2N+d messages, for k initiators the sum of these. No process may fail meanwhile.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct RingBasic {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        const std::uint64_t n = census.nodes, k = census.initiators;
        return {k * 2 * n, k * (3 * n - 1)};
    }
    static constexpr Card card{"ring-basic",
                               "CS425 lecture 2023 (Mittal)",
                               Network::ring,
                               Links::fifo,
                               "2N .. 3N-1 for each initiator",
                               "no failures during the run",
                               {},
                               /* restless */ false,
                               predict};

    // It says
    struct Election {
        Rank best;
    };
    struct Elected {
        Rank best;
    };
    using Turn = conclave::Turn<Types<Election, Elected>>;

    // It remembers
    bool calling = false;  // "a process can call for at most one election at a time"

    // It does
    void on(Call, Turn& turn) {
        if (calling) return;
        calling = true;
        turn.send(turn.next, Election{turn.rank()});
    }

    void on(Election election, Turn& turn) {
        if (election.best > turn.rank()) {
            turn.send(turn.next, election);
        } else if (election.best < turn.rank()) {
            turn.send(turn.next, Election{turn.rank()});
        } else {  // nobody on the whole ring had a better one
            calling = false;
            turn.lead();
            turn.send(turn.next, Elected{turn.rank()});
        }
    }

    void on(Elected elected, Turn& turn) {
        if (elected.best == turn.rank()) return;  // the news came full circle
        calling = false;
        turn.follow(id_of(elected.best));
        turn.send(turn.next, elected);
    }

    std::string_view label() const { return calling ? "calling" : "idle"; }
};

static_assert(Algorithm<RingBasic>);

}  // namespace conclave
