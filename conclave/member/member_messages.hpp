// What members say to each other besides election and lease, and what a host tells its member.
#pragma once

#include <vector>

#include "conclave/lease/lease_messages.hpp"

namespace conclave::member {

using conclave::operator==;

// What decides about a member as a candidate, by its own word.
struct Attributes {
    std::uint32_t priority = 0;
    bool witness = false;  // votes and never leads
    bool healthy = true;   // and able to start its command
    bool paused = false;   // by an operator

    bool eligible() const { return healthy && !paused && !witness; }
};

// I am here. Said at every heartbeat while nobody leads, and when one of its fields changes.
struct Present {
    Attributes mine{};
    Id follows = nobody;
    bool stale = false;  // set by the receiving host: it waited while this process was paused
};
// I am going, and not because of a fault.
struct Leaving {};
// Said by the guardian of the sender, which died: its command is gone, the lease is released.
struct Died {
    lease::Release release{};
};

// Told by the host:
struct Told {  // the roster as it was formed, before it starts; or as another member has it
    lease::Roster roster{};
};
struct Condition {
    bool healthy = true;  // as its health check says
    bool able = true;     // nothing on this machine keeps the command from being started
    bool paused = false;  // by an operator: keeps its role until resumed
};
struct Ended {};       // the work ended by itself and is to start again, after a pause
struct Depart {};      // the process is to end: hand over, and do not stand again
struct RetryStore {};  // the disk may work again

// Why somebody leads no longer.
enum class Cause : std::uint8_t {
    unknown,    // the lease says so, without a reason
    silent,     // it was not heard for too long
    left,       // it said that it was going
    died,       // its guardian said so
    released,   // it gave the lease back
    expired,    // no majority renewed its lease
    unhealthy,  // it handed over for that reason
    parts_met,  // without a quorum: the leader of the other part has the greater token
};

// The leader that a member believes in changed.
struct Change {
    Id former = nobody;
    Id leader = nobody;
    Cause cause = Cause::unknown;  // of the end of the former term, or of the time without a leader
};

// A member was lost, or is heard again after it was silent.
struct Sighting {
    Id who = nobody;
    bool back = false;
    Cause how = Cause::unknown;  // it was lost
};

// What happened in a turn, for the host to take away.
struct News {
    std::vector<Change> changes;
    std::vector<Sighting> sightings;
};

}  // namespace conclave::member
