// Le Lann (1977), "Distributed systems: towards a formal approach", IFIP Congress; as told in
// Vitányi (1983), section 1.
//
// Every initiator sends its rank once round a one-way ring. Nobody holds anything back, so an
// initiator whose rank is home again has seen those of all others, and the best of them leads;
// everybody else follows the best rank that passed. N messages for each initiator, N*N if all
// initiate. With `filter`, who sees a worse rank sends its own instead of passing that on: this is
// Chang & Roberts' method. Assumes that no process fails during the run. Who does not initiate is
// not elected, however good, unless `filter` wakes it.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct LeLann {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        const std::uint64_t all = std::uint64_t{census.initiators} * census.nodes;
        return {all, all};
    }
    static constexpr Card card{"le-lann",
                               "Le Lann 1977",
                               Network::ring,
                               Links::fifo,
                               "kN for k initiators",
                               "no failures during the run; the best initiator is elected",
                               {.best = false},
                               /* restless */ false,
                               predict};

    struct Settings {
        bool filter = false;
    };

    // It says
    struct Token {
        Rank rank;
    };
    using Turn = conclave::Turn<Types<Token>, Types<>, Settings>;

    // It remembers
    bool waiting = false;  // for its own rank to come home
    Rank best{};           // that has passed

    // It does
    void on(Call, Turn& turn) {
        if (waiting) return;
        waiting = true;
        if (best < turn.rank()) best = turn.rank();
        turn.send(turn.next, Token{turn.rank()});
    }

    void on(Token token, Turn& turn) {
        if (token.rank == turn.rank()) {
            waiting = false;
            turn.follow(id_of(best));
        } else if (turn.settings.filter && token.rank < turn.rank()) {
            if (best < turn.rank()) on(Call{}, turn);  // now it knows of the election
        } else {
            turn.send(turn.next, token);
            if (best < token.rank) best = token.rank;
            // Its own rank is not home: better ones may come yet; to the others this is news.
            if (!waiting || best > turn.rank()) turn.follow(id_of(best));
        }
    }

    std::string_view label() const { return waiting ? "waiting" : "idle"; }
};

static_assert(Algorithm<LeLann>);

}  // namespace conclave
