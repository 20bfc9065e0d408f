// Ongaro & Ousterhout (2014), "In search of an understandable consensus algorithm", section 5.2:
// Raft's election, as a row to compare with. There is no log, so no vote is refused because of one
// (section 5.4.1).
//
// Time is divided into terms. A follower that hears from no leader for a timeout, drawn anew each
// time, begins a term, votes for itself and asks the others; each votes once a term, first come
// first served, and keeps term and vote on disk. A majority makes a leader, which sends heartbeats;
// whoever sees a greater term follows. At most one leader a term: an old one may lead on until it
// hears of the next, so two can lead at once. N-1 requests, N-1 votes, N-1 heartbeats where nobody
// competes.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct Raft {
    static constexpr Card card{"raft",
                               "Ongaro & Ousterhout 2014",
                               Network::full,
                               Links::any,
                               "3(N-1), then N-1 a heartbeat",
                               "a majority is up; delays are short beside the timeout",
                               {.one_leader = false, .best = false},
                               /* restless */ true};

    struct Settings {
        Duration timeout = std::chrono::milliseconds(10);  // least, of an election
        std::uint16_t jitter = 10;                         // up to so many steps more ...
        Duration step = std::chrono::milliseconds(1);      // ... each so long
        Duration heartbeat = std::chrono::milliseconds(3);
    };

    // It says
    struct RequestVote {
        std::uint32_t term;
    };
    struct Vote {
        std::uint32_t term;
        bool granted;
    };
    struct Heartbeat {
        std::uint32_t term;
    };

    // It waits for
    struct Timeout {};
    struct Beat {};

    struct Stored {
        std::uint32_t term = 0;
        Id voted = nobody;
    };
    using Turn =
        conclave::Turn<Types<RequestVote, Vote, Heartbeat>, Types<Timeout, Beat>, Settings, Stored>;

    // It remembers
    enum class State : std::uint8_t { follower, candidate, leader };
    State state = State::follower;
    Stored kept;
    IdSet votes;

    // It does
    void on(Start, Turn& turn) { wait(turn); }
    void on(const Recover<Stored>& recover, Turn& turn) {
        kept = recover.stored;
        wait(turn);
    }
    void on(Call, Turn& turn) {
        if (state == State::follower) on(Timeout{}, turn);
    }
    void wait(Turn& turn) {
        const auto steps = static_cast<std::int64_t>(turn.choose(turn.settings.jitter + 1u));
        turn.set<Timeout>(turn.settings.timeout + steps * turn.settings.step);
    }

    void on(Timeout, Turn& turn) {
        state = State::candidate;
        kept = {kept.term + 1, turn.me};
        turn.store(kept);
        turn.follow(nobody);
        votes = {{turn.me}};
        wait(turn);
        turn.broadcast(RequestVote{kept.term});
        count(turn);
    }
    void on(RequestVote request, Turn& turn) {
        see(request.term, turn);
        const bool granted =
            request.term == kept.term && (kept.voted == nobody || kept.voted == turn.from);
        if (granted) {
            kept.voted = turn.from;
            turn.store(kept);
            wait(turn);
        }
        turn.reply(Vote{kept.term, granted});
    }
    void on(Vote vote, Turn& turn) {
        see(vote.term, turn);
        if (state != State::candidate || vote.term != kept.term || !vote.granted) return;
        votes.insert(turn.from);
        count(turn);
    }
    void count(Turn& turn) {
        if (2 * votes.size() <= turn.group.size()) return;
        state = State::leader;
        turn.lead();
        turn.stop<Timeout>();
        on(Beat{}, turn);
    }
    void on(Beat, Turn& turn) {
        turn.broadcast(Heartbeat{kept.term});
        turn.set<Beat>(turn.settings.heartbeat);
    }
    void on(Heartbeat beat, Turn& turn) {
        see(beat.term, turn);
        if (beat.term != kept.term) return;  // of a leader that was
        if (state == State::leader) return turn.report("two leaders in one term");
        state = State::follower;
        turn.follow(turn.from);
        wait(turn);
    }

    // A greater term makes everybody a follower of it.
    void see(std::uint32_t term, Turn& turn) {
        if (term <= kept.term) return;
        kept = {term, nobody};
        turn.store(kept);
        if (state == State::leader) {
            turn.stop<Beat>();
            wait(turn);
        }
        if (state != State::follower) turn.follow(nobody);
        state = State::follower;
    }
};

static_assert(Algorithm<Raft>);

}  // namespace conclave
