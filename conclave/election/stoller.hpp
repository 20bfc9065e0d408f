// Stoller (1997), "Leader election in distributed systems with crash failures": the Bully algorithm
// with a failure detector in the place of timeouts. The paper is not at hand: this follows its
// descendants, and claims no more than is measured here.
//
// A process that starts, or whose leader is reported down, waits until all better ones are (first
// stage). Then it halts the lesser ones, one after the other (second stage): each gives up what it
// does, follows nobody and acknowledges, or rejects because it was halted by a better one. When all
// have answered or are down, those that acknowledged are told of their leader. A leader that asks
// now and then finds those who missed it. 3(N-1) messages where the best starts. Assumes that the
// detector suspects nobody wrongly; whoever crashes is suspected in the end.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct Stoller {
    static constexpr Card card{"stoller",
                               "Stoller 1997",
                               Network::full,
                               Links::any,
                               "3(N-1) where the best starts; then N-1 a check",
                               "no loss; the detector is accurate and complete",
                               {},
                               /* restless */ true};

    struct Settings {
        Duration check = std::chrono::milliseconds(15);  // between two questions of the leader
    };
    struct Election {
        Id by = nobody;
        std::uint32_t incarnation = 0;
        std::uint32_t number = 0;
        bool operator==(const Election&) const = default;
    };

    // It says
    struct Halt {
        Election election;
    };
    struct Ack {
        Election election;
    };
    struct Reject {
        Election election;
    };
    struct Leader {
        Election election;
    };
    struct AreYouNormal {
        Election election;
    };
    struct NotNormal {
        Election election;
    };

    // It waits for
    struct Check {};

    using Turn = conclave::Turn<Types<Halt, Ack, Reject, Leader, AreYouNormal, NotNormal>,
                                Types<Check>, Settings>;

    // It remembers
    enum class Status : std::uint8_t { normal, first_stage, second_stage, waiting };
    Status status = Status::first_stage;
    Id leader = nobody;
    Election election;  // its own, or of the one that halted it
    std::uint32_t number = 0;
    Id pending = nobody;  // whose answer the second stage waits for
    IdSet acks;
    IdSet suspected;

    // It does
    void on(Start, Turn& turn) { elect(turn); }
    void on(Call, Turn& turn) {
        if (status != Status::normal) return;
        if (leader == turn.me || suspected.contains(leader)) elect(turn);
    }
    void on(Suspect suspect, Turn& turn) {
        suspected.insert(suspect.id);
        const bool lost = (status == Status::normal && suspect.id == leader) ||
                          (status == Status::waiting && suspect.id == election.by);
        if (lost || status == Status::first_stage) return elect(turn);
        if (status == Status::second_stage && suspect.id == pending) halt_next(turn);
    }
    void on(Trust trust, Turn&) { suspected.erase(trust.id); }

    void elect(Turn& turn) {
        follow(nobody, turn);
        status = Status::first_stage;
        for (const Id id : turn.group.ring)
            if (turn.better(id) && !suspected.contains(id)) return;
        status = Status::second_stage;
        election = {turn.me, turn.incarnation, ++number};
        acks = {};
        pending = turn.me;
        halt_next(turn);
    }
    // The best of those that are worse than the one before
    void halt_next(Turn& turn) {
        Id next = nobody;
        for (const Id id : turn.group.ring)
            if (turn.group.rank(id) < turn.group.rank(pending) && !suspected.contains(id) &&
                (next == nobody || turn.group.better(id, next)))
                next = id;
        pending = next;
        if (next != nobody) return turn.send(next, Halt{election});
        status = Status::normal;
        follow(turn.me, turn);
        for (const Id id : acks) turn.send(id, Leader{election});
        turn.set<Check>(turn.settings.check);
    }
    void follow(Id whom, Turn& turn) {
        if (whom != turn.me) turn.stop<Check>();
        if (leader != whom) turn.follow(leader = whom);
    }

    void on(Halt halt, Turn& turn) {
        const Id above = status == Status::normal    ? leader
                         : status == Status::waiting ? election.by
                                                     : nobody;
        const bool bound = above != nobody && above != turn.me && !suspected.contains(above) &&
                           turn.group.better(above, turn.from);
        if (bound) return turn.reply(Reject{halt.election});
        follow(nobody, turn);
        status = Status::waiting;
        election = halt.election;
        pending = nobody;
        turn.reply(Ack{halt.election});
    }
    void on(Ack ack, Turn& turn) { take(ack.election, true, turn); }
    void on(Reject reject, Turn& turn) { take(reject.election, false, turn); }
    void take(const Election& of, bool acknowledged, Turn& turn) {
        if (status != Status::second_stage || of != election || turn.from != pending) return;
        if (acknowledged) acks.insert(turn.from);
        halt_next(turn);
    }
    void on(Leader news, Turn& turn) {
        if (status != Status::waiting || news.election != election) return;
        status = Status::normal;
        follow(turn.from, turn);
    }

    // A process that was overlooked is found by its leader to be
    void on(Check, Turn& turn) {
        for (const Id id : turn.group.ring)
            if (turn.group.rank(id) < turn.rank()) turn.send(id, AreYouNormal{election});
        turn.set<Check>(turn.settings.check);
    }
    void on(AreYouNormal asked, Turn& turn) {
        const Id above = status == Status::normal ? leader : election.by;
        const bool free = status == Status::first_stage || status == Status::second_stage;
        if (free || turn.group.better(turn.from, above)) turn.reply(NotNormal{asked.election});
    }
    void on(NotNormal answer, Turn& turn) {
        if (status == Status::normal && leader == turn.me && answer.election == election)
            elect(turn);
    }

    std::string_view label() const { return name_of(status); }
};

static_assert(Algorithm<Stoller>);

}  // namespace conclave
