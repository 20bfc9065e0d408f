// Peterson (1982), "An O(n log n) unidirectional algorithm for the circular extrema problem", ACM
// TOPLAS 4(4): the simple algorithm. The paper is not at hand: this follows what textbooks print.
//
// An active process has a value, its own rank at first. It sends the value, hears the one of the
// active process before it, sends the greater of both, and hears the same from before: if the value
// heard first is no less than the other two, it goes on with that, else it only relays from then
// on. Of two neighbours at most one goes on, so each phase of 2N messages leaves half of them. A
// process that hears its own rank has the best: unlike in Dolev, Klawe and Rodeh's twin it finds
// this out itself. At most 2N*floor(log2 N) + 2N messages. No process may fail meanwhile.
#pragma once

#include <algorithm>
#include <bit>

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct Peterson {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        const std::uint64_t n = census.nodes;
        const auto halvings = static_cast<std::uint64_t>(std::bit_width(n)) - 1;
        return {2 * n, 2 * n * halvings + 2 * n};
    }
    static constexpr Card card{"peterson",
                               "Peterson 1982",
                               Network::ring,
                               Links::fifo,
                               "at most 2N*floor(log2 N) + 2N",
                               "no failures during the run",
                               {},
                               /* restless */ false,
                               predict};

    // It says
    struct Value {
        Rank rank;
    };
    struct Elected {
        Rank best;
    };
    using Turn = conclave::Turn<Types<Value, Elected>>;

    // It remembers
    enum class State : std::uint8_t { idle, first, second, relay, elected };
    State state = State::idle;
    Rank value{};   // that it stands for
    Rank before{};  // heard first in this phase

    // It does
    void on(Call, Turn& turn) {
        if (state == State::idle) begin(turn.rank(), turn);
    }
    void begin(Rank with, Turn& turn) {
        state = State::first;
        value = with;
        turn.send(turn.next, Value{value});
    }

    void on(Value heard, Turn& turn) {
        if (state == State::elected) return;  // the others do not know yet
        if (state == State::idle) begin(turn.rank(), turn);
        if (heard.rank == turn.rank()) return win(turn);
        switch (state) {
            case State::first:
                state = State::second;
                before = heard.rank;
                return turn.send(turn.next, Value{std::max(value, before)});
            case State::second:
                if (before >= std::max(value, heard.rank)) return begin(before, turn);
                state = State::relay;
                return;
            default: turn.send(turn.next, heard);
        }
    }

    void win(Turn& turn) {
        state = State::elected;
        turn.lead();
        turn.send(turn.next, Elected{turn.rank()});
    }

    void on(Elected elected, Turn& turn) {
        state = State::idle;
        if (elected.best == turn.rank()) return;  // the news came full circle
        turn.follow(id_of(elected.best));
        turn.send(turn.next, elected);
    }
};

static_assert(Algorithm<Peterson>);

}  // namespace conclave
