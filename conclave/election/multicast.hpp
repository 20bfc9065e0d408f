// CS425 (Mittal 2023), "Multicast-based algorithm": the three steps that lead to the bully
// algorithm.
//
// Whoever calls an election asks everybody. A lesser process agrees, a better one disagrees and
// calls an election itself; who meets no disagreement is elected. The first variant waits until all
// agree, the second no longer than a timeout, the third spares the agreement and only waits for a
// disagreement. N-1 copies of Election and of Coordinator and up to N-1 answers for each caller.
// Assumes that no message is lost or takes longer than T, that the timeout is 2T, and that nobody
// fails during the run (`all`: that nobody has failed at all).
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct Multicast {
    static Prediction predict(const Census& census) {
        const std::uint64_t n = census.nodes;
        if (census.down != 0 || census.initiators != n) return {};
        const std::uint64_t all = n + n * (n - 1) + 1;
        return {all, all};
    }
    static constexpr Card card{"multicast",
                               "CS425 lecture (Mittal 2023)",
                               Network::full,
                               Links::any,
                               "all initiate: N Election, N(N-1) answers, 1 Coordinator",
                               "no loss, known bounds on delay, no failures during the run",
                               {},
                               /* restless */ false,
                               predict};

    enum class Variant : std::uint8_t { all, timeout, disagree };
    struct Settings {
        Variant variant = Variant::timeout;  // the end of an election: all agree; or time is up;
                                             // nobody disagrees in time
        Duration timeout = std::chrono::milliseconds(2);  // 2T
    };

    // It says
    struct Election {};     // to everybody: I want to lead
    struct Agree {};        // you are better than I
    struct Disagree {};     // you are not
    struct Coordinator {};  // to everybody: I lead

    // It waits for
    struct Timeout {};

    using Turn =
        conclave::Turn<Types<Election, Agree, Disagree, Coordinator>, Types<Timeout>, Settings>;

    // It remembers
    enum class State : std::uint8_t { idle, calling, waiting } state = State::idle;
    Id leader = nobody;
    IdSet agreed;

    // It does
    void on(Call, Turn& turn) {
        if (state == State::calling) return;  // at most one election of its own at a time
        if (turn.group.size() == 1) return lead(turn);
        state = State::calling;
        agreed = {};
        turn.broadcast(Election{});
        if (turn.settings.variant != Variant::all) turn.set<Timeout>(turn.settings.timeout);
    }
    // The detector tells that the leader is gone, or, while none is known, that somebody is.
    void on(Suspect suspect, Turn& turn) {
        if (suspect.id == leader) {
            turn.follow(leader = nobody);
            on(Call{}, turn);
        } else if (state == State::waiting) {
            on(Call{}, turn);
        }
    }
    void on(const Recover<Nothing>&, Turn& turn) { on(Call{}, turn); }

    void on(Election, Turn& turn) {
        if (!turn.better(turn.from)) {
            turn.reply(Disagree{});
            on(Call{}, turn);
        } else if (turn.settings.variant != Variant::disagree) {
            turn.reply(Agree{});
        }
    }
    void on(Agree, Turn& turn) {
        agreed.insert(turn.from);
        if (state == State::calling && agreed.size() == turn.group.size() - 1) lead(turn);
    }
    void on(Disagree, Turn& turn) {
        if (state != State::calling) return;
        state = State::waiting;  // gives up: somebody better is calling
        turn.stop<Timeout>();
    }
    void on(Timeout, Turn& turn) { lead(turn); }

    void lead(Turn& turn) {
        state = State::idle;
        turn.stop<Timeout>();
        turn.follow(leader = turn.me);
        turn.broadcast(Coordinator{});
    }
    void on(Coordinator, Turn& turn) {
        state = State::idle;
        turn.stop<Timeout>();
        turn.follow(leader = turn.from);
    }
};

static_assert(Algorithm<Multicast>);

}  // namespace conclave
