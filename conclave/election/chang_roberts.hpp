// Chang & Roberts (1979), "An improved algorithm for decentralized extrema-finding in circular
// configurations of processes", CACM 22(5); as taught in CS425 (2023), "Ring Election Protocol".
//
// Ranks travel clockwise round a one-way ring. A process swallows every rank smaller than its own
// once it takes part, so only the best comes home, and its owner is elected; a second message
// tells everybody. One initiator: 2N to 3N-1 messages. All: 3N-1 to N(N+1)/2 + N, on average
// N*H_N + N. Assumes that no process fails during the run.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct ChangRoberts {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        const std::uint64_t n = census.nodes;
        const std::uint64_t least = census.initiators == n ? 3 * n - 1 : 2 * n;
        const std::uint64_t most = census.initiators == 1 ? 3 * n - 1 : n * (n + 1) / 2 + n;
        return {least, most};
    }
    static constexpr Card card{"chang-roberts",
                               "Chang & Roberts 1979",
                               Network::ring,
                               Links::fifo,
                               "2N .. 3N-1; all initiate: mean N*H_N + N",
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
    bool participating = false;

    // It does
    void on(Call, Turn& turn) {
        if (participating) return;  // at most one election of its own at a time
        participating = true;
        turn.send(turn.next, Election{turn.rank()});
    }

    void on(Election election, Turn& turn) {
        if (election.best > turn.rank()) {
            participating = true;
            turn.send(turn.next, election);
        } else if (election.best == turn.rank()) {  // my rank survived the whole ring
            turn.lead();
            turn.send(turn.next, Elected{turn.rank()});
        } else if (!participating) {  // wake up and replace the smaller rank by mine
            participating = true;
            turn.send(turn.next, Election{turn.rank()});
        }  // else: swallow it, mine is already on its way
    }

    void on(Elected elected, Turn& turn) {
        participating = false;
        if (elected.best == turn.rank()) return;  // the news came full circle
        turn.follow(id_of(elected.best));
        turn.send(turn.next, elected);
    }

    std::string_view label() const { return participating ? "participating" : "idle"; }
};

static_assert(Algorithm<ChangRoberts>);

}  // namespace conclave
