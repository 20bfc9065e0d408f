// Hirschberg & Sinclair (1980), "Decentralized extrema-finding in circular configurations of
// processors", CACM 23(11).
//
// A candidate explores the ring both ways, first one hop far, then two, four, and so on, as long as
// nobody within reach is better: the last one reached replies, a better one swallows the probe. Few
// candidates survive to the far and dear explorations, so there are at most 8(N + N*ceil(log2 N))
// messages before the winner, home from a full circle, tells everybody with N more. No process may
// fail meanwhile.
#pragma once

#include <bit>

#include "conclave/core/two_way.hpp"

namespace conclave {

struct HirschbergSinclair {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        const std::uint64_t n = census.nodes;
        const auto doublings = static_cast<std::uint64_t>(std::bit_width(n - 1));
        return {n, 8 * (n + n * doublings) + n};
    }
    static constexpr Card card{"hirschberg-sinclair",
                               "Hirschberg & Sinclair 1980",
                               Network::two_way_ring,
                               Links::fifo,
                               "at most 8(N + N*ceil(log2 N)) + N",
                               "no failures during the run",
                               {},
                               /* restless */ false,
                               predict};

    // It says
    struct Probe {
        Rank rank;
        std::uint32_t run;
        std::uint32_t hops;  // still to go
        bool clockwise;
    };
    struct Reply {
        Rank rank;  // of the candidate it goes back to
        std::uint32_t run;
        bool clockwise;
    };
    struct Elected {
        Rank best;
        std::uint32_t run;
    };
    using Turn = conclave::Turn<Types<Probe, Reply, Elected>>;

    // It remembers
    enum class State : std::uint8_t { idle, candidate, passive };
    State state = State::idle;
    bool half = false;       // one of the two replies is there
    std::uint8_t phase = 0;  // it explores 2^phase hops far
    std::uint32_t run = 0;   // elections so far: probes of the last may outlive it

    // It does
    void on(Call, Turn& turn) {
        if (state == State::idle) explore(turn);
    }

    void on(Probe probe, Turn& turn) {
        if (probe.run < run) return;
        if (probe.run > run) *this = {.run = probe.run};
        if (probe.rank == turn.rank()) return win(turn);
        if (probe.rank < turn.rank()) {
            if (state == State::idle) explore(turn);
            return;
        }
        state = State::passive;
        if (--probe.hops != 0) return send_on(probe, turn);
        send_on(Reply{probe.rank, run, !probe.clockwise}, turn);
    }

    void on(Reply reply, Turn& turn) {
        if (reply.run != run) return;
        if (reply.rank != turn.rank()) return send_on(reply, turn);
        if (state != State::candidate) return;  // beaten since
        half = !half;
        if (half) return;
        ++phase;
        explore(turn);
    }

    void on(Elected elected, Turn& turn) {
        if (elected.best == turn.rank()) return;  // the news came full circle
        if (elected.run >= run) *this = {.run = elected.run + 1};
        turn.follow(id_of(elected.best));
        turn.send(turn.next, elected);
    }

    void explore(Turn& turn) {
        state = State::candidate;
        for (const bool clockwise : {true, false})
            send_on(Probe{turn.rank(), run, std::uint32_t{1} << phase, clockwise}, turn);
    }

    void win(Turn& turn) {
        turn.lead();
        turn.send(turn.next, Elected{turn.rank(), run});
        *this = {.run = run + 1};  // the other probe is still on its way
    }
};

static_assert(Algorithm<HirschbergSinclair>);

}  // namespace conclave
