// Lecture 9: Coordinator election, "Ring Election".
//
// Everybody knows the whole ring. A list goes round, everybody adds its number, failed nodes are
// skipped; who finds itself on the list announces the highest number on it, and that message goes
// round as well and is removed. One initiator: 2N messages, N counting the live; k initiators: 2kN,
// and all elect the same. Who has failed is known from a detector or from who passes the list on.
//
// The lecture leaves open what happens if the initiator dies: here the first node that finds itself
// on a list ends the round, whoever began it. A message that vanished with a node makes that node's
// predecessor start again, as the death of the coordinator makes anybody.
#pragma once

#include <algorithm>

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct RingCollect {
    static Prediction predict(const Census& census) {
        if (census.down != 0) return {};
        const std::uint64_t all = std::uint64_t{2} * census.nodes * census.initiators;
        return {all, all};
    }
    static constexpr Card card{"ring-collect",
                               "Lecture 9: Coordinator election",
                               Network::full,
                               Links::fifo,
                               "2N for each initiator",
                               "failures are detected; none during the run",
                               {},
                               /* restless */ false,
                               predict};

    // It says
    struct Election {
        std::vector<Id> list;  // in the order of travel
        IdSet failed;          // as the senders know; the receivers may not
    };
    struct Coordinator {
        Id leader;
        std::vector<Id> told;
        IdSet failed;
    };
    using Turn = conclave::Turn<Types<Election, Coordinator>>;

    // It remembers
    bool calling = false;  // it has sent a list and not yet heard who leads
    bool touched = false;  // it has sent something: that may have been lost with its successor
    Id leader = nobody;
    IdSet failed;

    // It does
    void on(Call, Turn& turn) {
        if (calling) return;
        calling = touched = true;
        pass_on(Election{{turn.me}, failed}, turn);
    }

    void on(Election election, Turn& turn) {
        for (const Id id : failed) election.failed.insert(id);
        if (contains(election.list, turn.me)) {
            const Id winner = highest(election, turn);
            accept(winner, turn);
            pass_on(Coordinator{winner, {turn.me}, election.failed}, turn);
        } else {
            touched = true;
            election.list.push_back(turn.me);
            pass_on(election, turn);
        }
    }

    void on(Coordinator news, Turn& turn) {
        if (contains(news.told, turn.me)) return;  // it has made its way around
        for (const Id id : failed) news.failed.insert(id);
        accept(news.leader, turn);
        news.told.push_back(turn.me);
        pass_on(news, turn);
    }

    void on(Suspect suspect, Turn& turn) {
        const bool next_one = suspect.id == successor(failed, turn);
        if (!failed.insert(suspect.id)) return;
        if (!(next_one && touched) && suspect.id != leader) return;
        calling = false;
        on(Call{}, turn);
    }

    void on(Trust trust, Turn&) { failed.erase(trust.id); }

    template <class M>
    void pass_on(const M& message, Turn& turn) {
        const Id next = successor(message.failed, turn);
        if (next == turn.me) return on(message, turn);  // nobody else is left
        turn.send(next, message);
    }

    void accept(Id winner, Turn& turn) {
        calling = false;
        touched = true;
        leader = winner;
        turn.follow(winner);
    }

    static bool contains(const std::vector<Id>& list, Id id) {
        return std::find(list.begin(), list.end(), id) != list.end();
    }

    static Id successor(const IdSet& skipped, const Turn& turn) {
        Id next = turn.next;
        while (skipped.contains(next) && next != turn.me) next = turn.group.after(next);
        return next;
    }

    static Id highest(const Election& election, const Turn& turn) {
        Id best = turn.me;
        for (const Id id : election.list)
            if (turn.group.rank(id) > turn.group.rank(best) && !election.failed.contains(id))
                best = id;
        return best;
    }

    std::string_view label() const { return calling ? "calling" : "idle"; }
};

static_assert(Algorithm<RingCollect>);

}  // namespace conclave
