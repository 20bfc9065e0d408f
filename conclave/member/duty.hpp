// When a member's command is started, stopped and given up: what its agent does while it leads.
//
// Pure: the agent reports how its command stands and does what is answered.
#pragma once

#include <cstdint>

#include "conclave/member/view.hpp"

namespace conclave::member {

// How the command stands.
struct CommandFacts {
    bool alive = false;         // something of it is
    bool stopping = false;      // it was asked to stop
    bool able = true;           // nothing on this machine keeps it from being started
    bool wanted = true;         // it is neither done for the group nor over for this node
    std::uint64_t started = 0;  // token of the last start: every start has a greater one
};

// During a turn.
enum class Deed : std::uint8_t {
    none,
    start,
    extend,  // its deadline, to the end of the lease
    stop     // extend it, and ask the command to stop
};
inline Deed deed_of(const View& view, const CommandFacts& facts) {
    if (!view.acting) return Deed::none;
    if (facts.alive) return view.leaving && !facts.stopping ? Deed::stop : Deed::extend;
    const bool fresh = lease::token_of(view.ballot) > facts.started;
    const bool may = !view.leaving && view.again == never && fresh && facts.able && facts.wanted;
    return may ? Deed::start : Deed::none;
}

// After a turn, of a member whose command does not run: what to tell the lease.
enum class Word : std::uint8_t {
    none,
    gone,  // there is nothing that could be started, or it was asked to stop before
    anew   // a start needs a token of its own
};
inline Word word_of(const View& view, const CommandFacts& facts) {
    if (!view.acting || facts.alive) return Word::none;
    const bool paused = view.again != never;  // it is about to start again
    if ((!facts.able && !paused) || view.leaving) return Word::gone;
    const bool used = lease::token_of(view.ballot) <= facts.started;
    return !paused && facts.wanted && used ? Word::anew : Word::none;
}

// The command is gone.
struct CommandEnd {
    bool by_itself = false;  // nobody stopped it
    int code = 0;
    bool restart = false;    // --restart asks for it
    bool stay = false;       // --when-done stay
    bool departing = false;  // the process is to end
};
enum class Sequel : std::uint8_t {
    release,    // give the lease back
    again,      // start it again after a pause
    record,     // it is done for the whole group: lead on with nothing to run
    hand_over,  // it failed here: another node may have more luck
    leave       // end with its code
};
inline Sequel sequel_of(const View& view, const CommandEnd& end) {
    if (!end.by_itself || !view.acting || view.leaving) return Sequel::release;
    if (end.departing) return Sequel::leave;
    if (end.restart) return Sequel::again;
    if (!end.stay) return Sequel::leave;
    return end.code == 0 ? Sequel::record : Sequel::hand_over;
}

}  // namespace conclave::member
