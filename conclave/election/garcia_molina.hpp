// Garcia-Molina (1982), "Elections in a distributed computing system", IEEE Trans. Computers 31(1):
// the Bully algorithm as it was published. The paper is not at hand: this follows what is generally
// told of its procedures and state vector; `bully` is the short form that lectures teach.
//
// Every call is answered, or fails after `timeout`. A node that calls an election asks all better
// ones whether they are there, and stops if one is. Else it halts all lesser ones, appoints itself
// (New coordinator) to those that answered, and hands them the task (Ready); if one of them fails
// meanwhile it begins again. The coordinator asks all now and then whether they are normal, and
// calls an election if one is not; a node that hears nothing of its coordinator for `patience` asks
// whether it is there. A halted node follows nobody, so that no two lead at once. N-1 calls of each
// kind and as many answers: 6(N-1) messages where the best calls. Assumes that a node answers in
// time or is down.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct GarciaMolina {
    static constexpr Card card{"garcia-molina",
                               "Garcia-Molina 1982, as published",
                               Network::full,
                               Links::fifo,
                               "6(N-1) where the best calls; then 2(N-1) a check",
                               "no loss, every live node answers within the timeout",
                               {},
                               /* restless */ true};

    struct Settings {
        Duration timeout = std::chrono::milliseconds(3);    // for an answer: 2Tm + Tp
        Duration patience = std::chrono::milliseconds(40);  // with a silent coordinator
        Duration check = std::chrono::milliseconds(15);     // between two checks of the coordinator
    };

    // It says. A call has a number, so that its answer is not taken for that of another.
    struct AreYouThere {
        std::uint32_t call;
    };
    struct AreYouNormal {
        std::uint32_t call;
    };
    struct Halt {
        std::uint32_t call;
    };
    struct NewCoordinator {
        std::uint32_t call;
    };
    struct Ready {
        std::uint32_t call;
    };
    struct Answer {
        std::uint32_t call;
        bool normal;
    };

    // It waits for
    struct Timeout {};   // whoever is up has answered
    struct Patience {};  // nothing heard of the coordinator
    struct Check {};

    using Turn =
        conclave::Turn<Types<AreYouThere, AreYouNormal, Halt, NewCoordinator, Ready, Answer>,
                       Types<Timeout, Patience, Check>, Settings>;

    // It remembers: status, coordinator and the node that halted it are the paper's state vector
    enum class Status : std::uint8_t { election, reorganization, normal };
    enum class Calling : std::uint8_t { nothing, better, coordinator, halt, appoint, ready, check };
    Status status = Status::election;
    Id coordinator = nobody;
    Id halter = nobody;
    Calling calling = Calling::nothing;
    std::uint32_t call = 0;
    IdSet awaited;  // have not answered yet
    IdSet up;       // answered Halt

    // It does
    void on(Start, Turn& turn) { elect(turn); }  // the paper's recovery, too
    void on(Call, Turn& turn) {
        if (calling == Calling::nothing) elect(turn);
    }

    template <class Request>
    void ask(Calling what, const IdSet& whom, Turn& turn) {
        calling = what;
        awaited = whom;
        ++call;
        for (const Id id : whom) turn.send(id, Request{call});
        turn.set<Timeout>(turn.settings.timeout);
        if (whom.empty()) go_on(turn);
    }
    IdSet others(bool better, const Turn& turn) const {
        IdSet set;
        for (const Id id : turn.group.ring)
            if (id != turn.me && turn.better(id) == better) set.insert(id);
        return set;
    }

    // The election, in the order of the paper's procedure
    void elect(Turn& turn) { ask<AreYouThere>(Calling::better, others(true, turn), turn); }
    void halt_all(Turn& turn) {
        stand_by(turn.me, turn);
        up = others(false, turn);
        ask<Halt>(Calling::halt, up, turn);
    }
    void appoint(Turn& turn) {
        for (const Id id : IdSet{awaited}) up.erase(id);
        status = Status::reorganization;
        turn.follow(coordinator = turn.me);
        ask<NewCoordinator>(Calling::appoint, up, turn);
    }
    void be_normal(Turn& turn) {
        status = Status::normal;
        rest(turn);
        turn.set<Check>(turn.settings.check);
    }
    void rest(Turn& turn) {
        calling = Calling::nothing;
        turn.stop<Timeout>();
        if (coordinator != turn.me) turn.set<Patience>(turn.settings.patience);
    }
    void stand_by(Id by, Turn& turn) {
        status = Status::election;
        halter = by;
        turn.follow(coordinator = nobody);
        turn.stop<Check>();
        turn.stop<Patience>();
    }

    // All have answered, or the rest will not
    void go_on(Turn& turn) {
        const bool missing = !awaited.empty();
        switch (calling) {
            case Calling::nothing: return;
            case Calling::better: return halt_all(turn);
            case Calling::coordinator: return elect(turn);
            case Calling::halt: return appoint(turn);
            case Calling::appoint:
                return missing ? elect(turn) : ask<Ready>(Calling::ready, up, turn);
            case Calling::ready: return missing ? elect(turn) : be_normal(turn);
            case Calling::check: return be_normal(turn);
        }
    }
    void on(Timeout, Turn& turn) { go_on(turn); }
    void on(Answer answer, Turn& turn) {
        if (answer.call != call || calling == Calling::nothing) return;
        awaited.erase(turn.from);
        if (calling == Calling::better || calling == Calling::coordinator) return rest(turn);
        if (calling == Calling::check && !answer.normal) return elect(turn);
        if (awaited.empty()) go_on(turn);
    }

    void on(Check, Turn& turn) {
        if (status != Status::normal || coordinator != turn.me) return;
        if (calling == Calling::nothing)
            ask<AreYouNormal>(Calling::check, others(false, turn), turn);
    }
    void on(Patience, Turn& turn) {
        if (calling != Calling::nothing) return;
        if (status == Status::election) return elect(turn);
        ask<AreYouThere>(Calling::coordinator, {{coordinator}}, turn);
    }

    // Calls of the others
    void on(AreYouThere asked, Turn& turn) { answer(asked.call, turn); }
    void on(AreYouNormal asked, Turn& turn) {
        if (turn.from == coordinator) turn.set<Patience>(turn.settings.patience);
        answer(asked.call, turn);
    }
    void on(Halt halt, Turn& turn) {
        stand_by(turn.from, turn);
        rest(turn);
        answer(halt.call, turn);
    }
    void on(NewCoordinator asked, Turn& turn) {
        if (halter == turn.from && status == Status::election) {
            status = Status::reorganization;
            turn.follow(coordinator = turn.from);
        }
        answer(asked.call, turn);
    }
    void on(Ready ready, Turn& turn) {
        if (coordinator == turn.from && status == Status::reorganization) status = Status::normal;
        answer(ready.call, turn);
    }
    void answer(std::uint32_t number, Turn& turn) {
        const bool mine = coordinator == turn.from || coordinator == nobody;
        turn.reply(Answer{number, status == Status::normal && mine});
    }

    std::string_view label() const {
        return calling == Calling::nothing ? name_of(status) : name_of(calling);
    }
};

static_assert(Algorithm<GarciaMolina>);

}  // namespace conclave
