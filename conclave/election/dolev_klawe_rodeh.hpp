// Dolev, Klawe & Rodeh (1982), "An O(n log n) unidirectional distributed algorithm for
// extrema-finding in a circle", J. Algorithms 3: algorithm A.
//
// On a one-way ring an active process cannot ask both neighbours, so it judges for the one before
// it: it learns that one's value and the value before that, and takes over the middle one if it is
// the greatest of the three; else it only relays from then on. At least every second active process
// drops out in each phase of 2N messages. Who receives the value that it sent holds the best, and
// tells everybody whose it is: at most 2N*floor(log2 N) + 2N messages. No process may fail
// meanwhile.
#pragma once

#include <bit>

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct DolevKlaweRodeh {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        const std::uint64_t n = census.nodes;
        const auto halvings = static_cast<std::uint64_t>(std::bit_width(n)) - 1;
        return {2 * n, 2 * n * halvings + 2 * n};
    }
    static constexpr Card card{"dolev-klawe-rodeh",
                               "Dolev, Klawe & Rodeh 1982",
                               Network::ring,
                               Links::fifo,
                               "at most 2N*floor(log2 N) + 2N",
                               "no failures during the run",
                               {},
                               /* restless */ false,
                               predict};

    // It says
    struct First {  // the value of the active process before the receiver ...
        Rank value;
    };
    struct Second {  // ... and of the one before that
        Rank value;
    };
    struct Elected {
        Rank best;
    };
    using Turn = conclave::Turn<Types<First, Second, Elected>>;

    // It remembers
    enum class State : std::uint8_t { idle, active, passive };
    State state = State::idle;
    bool announcing = false;  // its Elected is under way
    Rank value{};             // the best it stands for
    Rank before{};            // the value of the active process before it

    // It does
    void on(Call, Turn& turn) {
        if (state == State::idle) begin(turn.rank(), turn);
    }

    void on(First first, Turn& turn) {
        if (state == State::idle) begin(turn.rank(), turn);
        if (state == State::passive) return turn.send(turn.next, first);
        if (first.value == value) return announce(turn);  // it is the only one left
        before = first.value;
        turn.send(turn.next, Second{before});
    }

    void on(Second second, Turn& turn) {
        if (state == State::passive) return turn.send(turn.next, second);
        if (before > value && before > second.value) return begin(before, turn);
        state = State::passive;
    }

    void on(Elected elected, Turn& turn) {
        if (announcing) {
            announcing = false;  // the news came full circle
            return;
        }
        state = State::idle;
        turn.follow(id_of(elected.best));
        turn.send(turn.next, elected);
    }

    void begin(Rank with, Turn& turn) {
        state = State::active;
        value = with;
        turn.send(turn.next, First{value});
    }

    void announce(Turn& turn) {
        state = State::idle;
        announcing = true;
        turn.follow(id_of(value));
        turn.send(turn.next, Elected{value});
    }
};

static_assert(Algorithm<DolevKlaweRodeh>);

}  // namespace conclave
