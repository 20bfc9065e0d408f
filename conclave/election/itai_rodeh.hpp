// Itai & Rodeh (1981), "Symmetry breaking in a distributed environment", FOCS 22.
//
// Nobody has a name, but all know how many they are, and chance tells them apart. Asynchronous:
// in each round every active process draws a name and sends it round with a hop counter and a bit
// that a process of the same name clears; greater names silence smaller ones, and who gets its own
// message back with the bit still set leads, else it draws again: O(N log N) messages on average.
// Synchronous (`timing=synchronous`, every hop takes one `unit`): in each phase of N units each of
// the a active processes runs with chance 1/a and all count the runners; one alone leads, several
// go on alone: on average below e phases of N units and N messages each. No process may fail.
//
// The leader's name is only for the host.
#pragma once

#include <tuple>

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct ItaiRodeh {
    static constexpr Card card{"itai-rodeh",
                               "Itai & Rodeh 1981",
                               Network::ring,
                               Links::fifo,
                               "mean O(N log N); synchronous O(N)",
                               "no failures during the run; N is known",
                               {.best = false}};
    static constexpr bool anonymous = true;  // no decision looks at an id or a rank

    enum class Timing : std::uint8_t { asynchronous, synchronous };
    struct Settings {
        Timing timing = Timing::asynchronous;
        std::uint32_t names = 0;  // to draw from; 0: as many as there are processes
        Duration unit = std::chrono::milliseconds(1);
    };

    // It says
    struct Name {  // asynchronous
        std::uint32_t round;
        std::uint32_t name;
        std::uint32_t hops;
        bool alone;  // no other process drew it
    };
    struct Wake {  // synchronous: the election began so many units ago
        std::uint32_t hops;
    };
    struct Runner {
        std::uint32_t hops;
    };
    struct Elected {
        Id leader;
    };

    // It waits for
    struct Phase {};
    using Turn = conclave::Turn<Types<Name, Wake, Runner, Elected>, Types<Phase>, Settings>;

    // It remembers
    enum class State : std::uint8_t { idle, waking, active, passive, leader };
    State state = State::idle;
    bool runs = false;          // in this phase
    std::uint32_t round = 0;    // asynchronous
    std::uint32_t name = 0;     // drawn for this round
    std::uint32_t rivals = 0;   // synchronous: active processes, this one or not
    std::uint32_t runners = 0;  // seen in this phase
    Time begun{};               // when the election began, as far as it knows

    // It does
    void on(Call, Turn& turn) {
        if (state != State::idle) return;
        if (turn.settings.timing == Timing::synchronous) return wake_up(0, turn);
        turn.follow(nobody);
        draw_name(turn);
    }

    void on(Elected elected, Turn& turn) {
        const bool home = state == State::leader;
        *this = {};
        if (home) return;
        turn.follow(elected.leader);
        turn.send(turn.next, elected);
    }

    void win(Turn& turn) {
        state = State::leader;
        turn.lead();
        turn.send(turn.next, Elected{turn.me});
    }

    // ---------------------------------------------------------------- asynchronous

    void draw_name(Turn& turn) {
        state = State::active;
        ++round;
        const auto names = turn.settings.names != 0 ? turn.settings.names : turn.group.size();
        name = static_cast<std::uint32_t>(turn.choose(names));
        turn.send(turn.next, Name{round, name, 1, true});
    }

    void on(Name seen, Turn& turn) {
        const auto theirs = std::tie(seen.round, seen.name), mine = std::tie(round, name);
        if (state == State::active) {
            if (seen.hops == turn.group.size()) return seen.alone ? win(turn) : draw_name(turn);
            if (theirs < mine) return;
            if (theirs == mine) seen.alone = false;
            if (theirs > mine) state = State::passive;
        } else if (state == State::idle) {
            state = State::passive;  // who has not begun by now only relays
            turn.follow(nobody);     // and the last election is no longer valid
        }
        ++seen.hops;
        turn.send(turn.next, seen);
    }

    // ---------------------------------------------------------------- synchronous

    // The earliest beginning counts, and within N units all know it. Phases change in the middle
    // of a unit, so that no arrival coincides with a change.
    void wake_up(std::uint32_t hops, Turn& turn) {
        const Time since = turn.now - hops * turn.settings.unit;
        if (state != State::idle && begun <= since) return;
        if (state == State::idle) turn.follow(nobody);
        state = State::waking;
        begun = since;
        rivals = turn.group.size();
        turn.set<Phase>((turn.group.size() - hops) * turn.settings.unit + turn.settings.unit / 2);
        if (hops + 1 < turn.group.size()) turn.send(turn.next, Wake{hops + 1});
    }

    void on(Wake wake, Turn& turn) { wake_up(wake.hops, turn); }

    void on(Runner runner, Turn& turn) {
        ++runners;
        if (runner.hops < turn.group.size()) turn.send(turn.next, Runner{runner.hops + 1});
    }

    void on(Phase, Turn& turn) {
        if (state == State::waking) {
            state = State::active;
        } else if (runners == 1) {
            return runs ? win(turn) : void();
        } else if (runners > 1) {
            rivals = runners;
            if (!runs) state = State::passive;
        }
        runners = 0;
        runs = state == State::active && turn.choose(rivals) == 0;
        turn.set<Phase>(turn.group.size() * turn.settings.unit);
        if (runs) turn.send(turn.next, Runner{1});
    }

    std::string_view label() const { return runs ? "running" : name_of(state); }
};

static_assert(Algorithm<ItaiRodeh>);

}  // namespace conclave
