// Echo with extinction: Chang (1982), "Echo algorithms: depth parallel operations on general
// graphs", IEEE Trans. Software Engineering 8(4), as an election. The papers are not at hand: this
// follows what textbooks teach under that name.
//
// A wave goes out through all ports and comes back as echoes: a process passes it on through its
// other ports, and answers the one that it came through when it has come in through all of them.
// Whoever calls starts a wave with its rank, and a process takes part in the best wave that it has
// seen: the others die out. The wave whose echoes come home has been everywhere. Each wave takes at
// most two messages on each of the E links, so k callers take at most 2kE; the news takes
// 2E - N + 1 more. No process may fail.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct Echo {
    static constexpr Card card{"echo",
                               "Chang 1982, with extinction",
                               Network::graph,
                               Links::any,
                               "at most 2kE for k callers, and 2E-N+1",
                               "no failures during the run; the best initiator is elected",
                               {.best = false}};

    // It says
    struct Wave {
        std::uint32_t run;  // elections before this one: waves of the last are worth nothing
        Rank rank;          // of its initiator
    };
    struct Elected {
        std::uint32_t run;
        Rank best;
    };
    using Turn = conclave::Turn<Types<Wave, Elected>>;

    // It remembers
    enum class State : std::uint8_t { idle, waiting };
    State state = State::idle;
    std::uint32_t run = 0;     // of the best wave, or to come
    Rank best{};               // whose wave it takes part in
    Port parent = no_port;     // that it came through first
    std::uint32_t echoes = 0;  // of it, that one counted

    // It does
    void on(Call, Turn& turn) {
        if (state == State::idle) join({run, turn.rank()}, turn);
    }

    void on(Wave wave, Turn& turn) {
        if (wave.run < run || (wave.run == run && wave.rank < best)) return;  // extinct
        if (wave.run > run || wave.rank > best) join(wave, turn);
        ++echoes;
        look(turn);
    }

    void join(Wave wave, Turn& turn) {
        if (state == State::idle) turn.follow(nobody);  // the last election is no longer valid
        *this = {State::waiting, wave.run, wave.rank, turn.port, 0};
        turn.send_through_all(wave, parent);
        if (turn.ports.count() == 0) look(turn);
    }

    void look(Turn& turn) {
        if (echoes != turn.ports.count()) return;
        if (parent != no_port) return turn.send(parent, Wave{run, best});
        turn.lead();
        turn.send_through_all(Elected{run, best});
        *this = {.run = run + 1};
    }

    void on(Elected elected, Turn& turn) {
        if (elected.run < run) return;  // heard already
        turn.follow(id_of(elected.best));
        turn.send_through_all(elected, turn.port);
        *this = {.run = elected.run + 1};
    }
};

static_assert(Algorithm<Echo>);

}  // namespace conclave
