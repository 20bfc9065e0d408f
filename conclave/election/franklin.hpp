// Franklin (1982), "On an improved algorithm for decentralized extrema finding in circular
// configurations of processors", CACM 25(5).
//
// Every active process sends its rank both ways to the next active ones; passive ones relay. Who is
// better than both stays active for the next round, so that at least every second drops out in each
// round of 2N messages. Who meets itself is alone and tells everybody: at most
// 2N*floor(log2 N) + 3N messages. No process may fail meanwhile.
#pragma once

#include <bit>

#include "conclave/core/two_way.hpp"

namespace conclave {

struct Franklin {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        const std::uint64_t n = census.nodes;
        const auto halvings = static_cast<std::uint64_t>(std::bit_width(n)) - 1;
        return {n, 2 * n * halvings + 3 * n};
    }
    static constexpr Card card{"franklin",
                               "Franklin 1982",
                               Network::two_way_ring,
                               Links::fifo,
                               "at most 2N*floor(log2 N) + 3N",
                               "no failures during the run",
                               {},
                               /* restless */ false,
                               predict};

    // It says
    struct Candidate {
        Rank rank;
        std::uint32_t run;
        bool clockwise;
    };
    struct Elected {
        Rank best;
        std::uint32_t run;
    };
    using Turn = conclave::Turn<Types<Candidate, Elected>>;

    // It remembers
    enum class State : std::uint8_t { idle, active, passive };
    struct Side {
        Rank now{};    // of the active process on that side, in this round ...
        Rank ahead{};  // ... and in the next: it may be one round ahead, never two
    };
    State state = State::idle;
    std::uint32_t run = 0;  // elections so far: news of the last may meet messages of the next
    Side left{}, right{};

    // It does
    void on(Call, Turn& turn) {
        if (state == State::idle) begin_round(turn);
    }

    void on(Candidate candidate, Turn& turn) {
        if (candidate.run < run) return;
        if (candidate.run > run) *this = {.run = candidate.run};
        if (state == State::idle) begin_round(turn);
        if (state == State::passive) return send_on(candidate, turn);
        Side& side = candidate.clockwise ? left : right;
        (side.now == Rank{} ? side.now : side.ahead) = candidate.rank;
        if (left.now != Rank{} && right.now != Rank{}) end_round(turn);
    }

    void on(Elected elected, Turn& turn) {
        if (elected.best == turn.rank()) return;  // the news came full circle
        if (elected.run >= run) *this = {.run = elected.run + 1};
        turn.follow(id_of(elected.best));
        turn.send(turn.next, elected);
    }

    void begin_round(Turn& turn) {
        state = State::active;
        for (const bool clockwise : {true, false})
            send_on(Candidate{turn.rank(), run, clockwise}, turn);
    }

    void end_round(Turn& turn) {
        const Rank better = std::max(left.now, right.now);
        left = {left.ahead};
        right = {right.ahead};
        if (better < turn.rank()) return begin_round(turn);
        if (better > turn.rank()) return step_down(turn);
        turn.lead();  // both ways round it met itself
        turn.send(turn.next, Elected{turn.rank(), run});
        *this = {.run = run + 1};
    }

    void step_down(Turn& turn) {
        state = State::passive;
        if (left.now != Rank{}) send_on(Candidate{left.now, run, true}, turn);
        if (right.now != Rank{}) send_on(Candidate{right.now, run, false}, turn);
        left = right = {};
    }
};

static_assert(Algorithm<Franklin>);

}  // namespace conclave
