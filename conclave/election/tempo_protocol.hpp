// The Time Synchronization Protocol, as far as the election of TEMPO speaks it.
//
// All messages have one layout (section 4 of the paper): the type is the tag; Reliable adds the
// sequence number; the time is used by Sync only, which carries a clock's correction when the host
// is a time daemon. Version and name of the sender are left to the datagram around it.
#pragma once

#include "conclave/core/time.hpp"
#include "conclave/core/types.hpp"

namespace conclave {

struct Tsp {
    // clang-format off
    struct Masterreq { Duration time{}; };  // who is the master?
    struct Masterack { Duration time{}; };  // I am
    struct Masterup  { Duration time{}; };  // I am the master from now on
    struct Slaveup   { Duration time{}; };  // put me on your list
    struct Election  { Duration time{}; };  // I want to be the master
    struct Accept    { Duration time{}; };
    struct Refuse    { Duration time{}; };
    struct Conflict  { Duration time{}; };  // there is another master
    struct Resolve   { Duration time{}; };  // which other masters are there?
    struct Quit      { Duration time{}; };
    struct Sync      { Duration time{}; };  // the periodical adjustment
    struct Deputy    { Duration time{}; };  // the same to the one who shall succeed me (option)
    // clang-format on

    using Messages = Types<Masterreq, Masterack, Masterup, Slaveup, Election, Accept, Refuse,
                           Conflict, Resolve, Quit, Sync, Deputy>;

    // All that goes to one addressee, but for Slaveup, which the count of section 7 does not
    // acknowledge: a slave that the master overlooks will call again (5.3).
    using Acknowledged = Types<Masterack, Accept, Refuse, Conflict, Quit, Sync, Deputy>;
};

}  // namespace conclave
