// Afek & Gafni (1991), "Time and message bounds for election in synchronous and asynchronous
// complete networks", SIAM J. Computing 20(2): the asynchronous algorithm. The paper is not at
// hand: this follows what lectures teach of it.
//
// A candidate captures the others one by one; its strength is how many it has, then its rank. A
// process that is asked by somebody stronger than its owner asks the owner to give way first: an
// owner that is weaker ceases to be a candidate. Whoever is weaker gets no answer. Two of the same
// level have captured different processes, so at most N/l reach level l: with at most four messages
// a capture and the news that is at most 4N(1 + H_N) + N-1 messages, where asking all takes N*N. A
// single candidate needs 3(N-1). No process may fail.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct AfekGafni {
    static constexpr Card card{
        "afek-gafni",   "Afek & Gafni 1991",           Network::full,
        Links::any,     "3(N-1) .. 4N(1 + H_N) + N-1", "no failures during the run",
        {.best = false}};

    struct Strength {
        std::uint32_t level;  // processes captured
        Rank rank;
        bool less_than(const Strength& other) const {
            return level != other.level ? level < other.level : rank < other.rank;
        }
    };

    // It says. Each message counts the elections before its own: the rest of one is worth nothing.
    struct Capture {
        std::uint32_t run;
        Strength claim;
    };
    struct Accept {  // to the claimant: I am yours
        std::uint32_t run;
    };
    struct Query {  // to the owner: somebody wants what is yours
        std::uint32_t run;
        Strength claim;
    };
    struct Yield {  // take it
        std::uint32_t run;
    };
    struct Elected {
        std::uint32_t run;
    };
    using Turn = conclave::Turn<Types<Capture, Accept, Query, Yield, Elected>>;

    // It remembers
    enum class State : std::uint8_t { idle, candidate, beaten };
    State state = State::idle;
    std::uint32_t run = 0;
    Strength strength{};  // of the candidate that it is, or of its owner when it was captured
    Id owner = nobody;
    Id claimant = nobody;  // stronger than the owner was, who is asked
    Strength claim{};
    Id target = nobody;  // that this candidate asks

    // It does
    void on(Call, Turn& turn) {
        if (state != State::idle) return;
        turn.follow(nobody);  // the last election is no longer valid
        state = State::candidate;
        strength = {0, turn.rank()};
        target = turn.me;
        capture_next(turn);
    }
    void capture_next(Turn& turn) {
        target = turn.group.after(target);
        if (target != turn.me) return turn.send(target, Capture{run, strength});
        turn.lead();
        turn.broadcast(Elected{run});
        *this = {.run = run + 1};
    }
    void on(Accept accept, Turn& turn) {
        if (accept.run != run || state != State::candidate) return;  // beaten meanwhile
        ++strength.level;
        capture_next(turn);
    }

    void on(Capture capture, Turn& turn) {
        if (capture.run < run) return;
        if (capture.run > run) *this = {.run = capture.run};
        if (capture.claim.less_than(claimant != nobody ? claim : strength)) return;
        if (state == State::idle) turn.follow(nobody);
        state = State::beaten;
        claimant = turn.from;
        claim = capture.claim;
        if (owner == nobody) return change_owner(turn);
        turn.send(owner, Query{run, claim});
    }
    void on(Query query, Turn& turn) {
        if (query.run != run) return;
        if (state == State::candidate && query.claim.less_than(strength)) return;
        if (state == State::candidate) state = State::beaten;
        turn.reply(Yield{run});
    }
    void on(Yield yield, Turn& turn) {
        if (yield.run == run && turn.from == owner && claimant != nobody) change_owner(turn);
    }
    void change_owner(Turn& turn) {
        owner = claimant;
        strength = claim;
        claimant = nobody;
        turn.send(owner, Accept{run});
    }

    void on(Elected elected, Turn& turn) {
        if (elected.run < run) return;
        *this = {.run = elected.run + 1};
        turn.follow(turn.from);
    }
};

static_assert(Algorithm<AfekGafni>);

}  // namespace conclave
