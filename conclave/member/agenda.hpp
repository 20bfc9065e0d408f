// What a member does when, on its own clock.
#pragma once

#include <algorithm>

#include "conclave/lease/ballot.hpp"

namespace conclave::member {

using conclave::operator==;

struct Agenda {
    // Timers that are set; never: this one is not
    Time beat = never;   // to say that it is here
    Time elect = never;  // to call an election
    Time stand = never;  // to stand, the better ones having had their chance
    Time again = never;  // to start its work again
    // What was, or is until then
    Time successor = lease::long_ago;  // whom the last leader named has the first chance
    Time backs_off_until =
        lease::long_ago;              // it led: whoever is about to lead has the first chance
    Time followed = lease::long_ago;  // since then the present leader, or the last one
    Time began = lease::long_ago;     // its work, the last time
    std::uint8_t tellings = 0;        // of changed attributes, left to be made

    // For exhaustive search: time passes.
    void age(Duration by, Duration heartbeat, Duration calm) {
        for (Time* due : {&beat, &elect, &stand, &again})
            if (*due != never) *due = std::max(*due - by, Time{0});
        lease::move_back(successor, by);
        lease::move_back(backs_off_until, by);
        lease::move_back(followed, by, heartbeat);
        lease::move_back(began, by, calm);
    }
};

}  // namespace conclave::member
