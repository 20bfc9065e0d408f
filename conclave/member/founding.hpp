// How a first roster comes about among processes with disks: formation.hpp as an algorithm, for
// exhaustive search. Whoever has fixed its roster "leads": that is what a search looks at.
#pragma once

#include "conclave/core/algorithm.hpp"
#include "conclave/member/faults.hpp"
#include "conclave/member/formation.hpp"

namespace conclave::member {

using conclave::operator==;

struct Founding {
    static constexpr Card card{"formation",
                               "-",
                               Network::full,
                               Links::any,
                               "one to each other, at every heartbeat",
                               "all that are expected come up",
                               {.one_leader = false, .best = false, .informed = false}};

    // It says
    struct Greeting {  // I am here, and have heard of these; or they are my roster
        std::vector<Id> known;
        bool fixed;
    };
    // It waits for
    struct Announce {};  // time to say so again

    struct Settings {
        std::uint32_t expect = 3;
        Duration heartbeat = std::chrono::milliseconds(100);
        bool hasty = false;   // a planted fault: what is complete is said before it is stored
        bool trusts = false;  // a planted fault: a list of a former life needs nobody's word
    };
    struct Stored {
        std::vector<Id> list;
        bool fixed = false;
    };
    using Turn = conclave::Turn<Types<Greeting>, Types<Announce>, Settings, Stored>;
    // Besides a crash of the machine; an operator asks an agent to leave.
    using Faults =
        Types<AgentPauses, AgentResumes, AgentLeaves, AgentReturns, DiskFills, DiskRecovers>;

    // It remembers
    enum class Agent : std::uint8_t { up, paused, dead };
    Formation<Id> formation;
    Stored disk;
    Agent agent = Agent::up;
    bool full = false;  // nothing can be stored

    // It does
    void on(Start, Turn& turn) { begin(turn); }
    void on(const Recover<Stored>& recover, Turn& turn) {
        disk = recover.stored;
        begin(turn);
    }
    void on(const Greeting& said, Turn& turn) {
        if (agent != Agent::up) return;
        if (!disk.fixed) {
            formation.hear(turn.from, said.known, said.fixed);
            proceed(turn);
        } else if (!said.fixed) {
            turn.reply(greeting());
        }
    }
    void on(Announce, Turn& turn) {
        if (agent == Agent::up) greet(turn);
    }

    void on(AgentPauses, Turn&) {
        if (agent == Agent::up) agent = Agent::paused;
    }
    void on(AgentResumes, Turn& turn) {
        if (agent != Agent::paused) return;
        agent = Agent::up;
        greet(turn);
    }
    void on(AgentLeaves, Turn& turn) {
        if (agent == Agent::up) end(turn);
    }
    // An agent waits for room before it starts.
    void on(AgentReturns, Turn& turn) {
        if (agent != Agent::dead || full) return;
        agent = Agent::up;
        begin(turn);
    }
    void on(DiskFills, Turn&) { full = true; }
    void on(DiskRecovers, Turn&) { full = false; }

    std::string_view label() const { return disk.fixed ? "formed" : "forms"; }

private:
    Greeting greeting() const {
        return {disk.fixed ? disk.list : formation.statement(), disk.fixed};
    }
    void greet(Turn& turn) {
        turn.broadcast(greeting());
        if (!disk.fixed) turn.set(Announce{}, turn.settings.heartbeat);
    }

    void begin(Turn& turn) {
        if (disk.fixed) turn.lead();
        formation = Formation<Id>::begin(turn.me, turn.settings.expect, disk.list);
        if (turn.settings.trusts && !disk.list.empty() && !disk.fixed) return fix(turn);
        greet(turn);
        proceed(turn);
    }
    // What is said behind a store leaves when it is done.
    void proceed(Turn& turn) {
        using Next = Formation<Id>::Next;
        if (formation.next() == Next::keep) {
            if (full) return end(turn);
            disk.list = formation.known;
            if (!turn.settings.hasty) turn.store(disk);
            formation.confirm();
            greet(turn);
        }
        if (formation.next() == Next::fix) fix(turn);
    }
    void fix(Turn& turn) {
        if (full) return end(turn);
        disk = {formation.roster(), true};
        turn.store(disk);
        turn.lead();
        greet(turn);
    }
    // A node that cannot store who is in its group ends, and is started again.
    void end(Turn& turn) {
        agent = Agent::dead;
        formation = {};
        turn.stop(Announce{});
        turn.follow(nobody);
    }
};

static_assert(Algorithm<Founding>);

}  // namespace conclave::member
