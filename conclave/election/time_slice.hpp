// Frederickson & Lynch (1987), "Electing a leader in a synchronous ring", J. ACM 34(1): the time
// slice algorithm, for N that is known. The paper is not at hand: this follows what textbooks
// print.
//
// Time is cut into slices of N units, enough for a message to go round: the v-th slice belongs to
// the name v. A process whose slice begins and that has heard nothing leads, and tells the others:
// N messages in all, however many there are, but N units for each name that nobody has before the
// least one. Names may be far apart (`gap`, `shift`): the message count does not notice, the time
// does. Assumes that all start together, that a message takes at most a unit, and equal clocks.
#pragma once

#include "conclave/core/algorithm.hpp"
#include "conclave/core/saturating.hpp"

namespace conclave {

struct TimeSlice {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        return {census.nodes, census.nodes};
    }
    static constexpr Card card{"time-slice",
                               "Frederickson & Lynch 1987",
                               Network::ring,
                               Links::fifo,
                               "N",
                               "no failures; all start together; delay <= unit; equal clocks",
                               {.lowest = true},
                               /* restless */ false,
                               predict};

    struct Settings {
        Duration unit = std::chrono::milliseconds(1);  // for a message to the next process
        std::uint32_t gap = 1;                         // between the names of two ids
        std::uint32_t shift = 0;                       // and before the first
    };

    // It says
    struct Token {
        Id leader;
    };

    // It waits for
    struct Slice {};
    using Turn = conclave::Turn<Types<Token>, Types<Slice>, Settings>;

    // It remembers
    enum class State : std::uint8_t { waiting, leads, follows };
    State state = State::waiting;

    // It does
    static std::uint64_t slices_before(Id id, const Settings& settings) {
        return times(static_cast<std::uint32_t>(id) - 1u, settings.gap) + settings.shift;
    }
    void on(Start, Turn& turn) {
        const auto unit = static_cast<std::uint64_t>(turn.settings.unit.count());
        const std::uint64_t length = times(turn.group.size(), unit);
        const std::uint64_t until = times(slices_before(turn.me, turn.settings), length);
        turn.set<Slice>(Duration{static_cast<std::int64_t>(until)});
    }
    void on(Slice, Turn& turn) {
        state = State::leads;
        turn.lead();
        turn.send(turn.next, Token{turn.me});
    }
    void on(Token token, Turn& turn) {
        if (token.leader == turn.me) return;  // it came full circle
        state = State::follows;
        turn.stop<Slice>();
        turn.follow(token.leader);
        turn.send(turn.next, token);
    }
};

static_assert(Algorithm<TimeSlice>);

}  // namespace conclave
