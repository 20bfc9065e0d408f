// How far a node's own clock counts with the others: what it said when the node came, and whether
// it has gone wrong lately.
//
// The opinion is the clock as it was brought, minus the network's time. It is kept, because those
// who come one after the other must be able to outvote whoever was there first; a
// move of the whole network is subtracted. Once the network's time is established nobody asks any
// more. A clock that was caught going wrong does not count, and its node does not become master,
// before it has been where the network expects it for a minute.
#pragma once

#include "conclave/clock/rate.hpp"

namespace conclave::clock {

class ClockStanding {
public:
    static constexpr Duration probation = std::chrono::seconds(60);

    // The clock is set for the first time.
    void come(Duration opinion) { opinion_ = opinion; }
    // The network was moved by so much, or has been agreed on for so long that it is not voted on.
    void move(Duration by) { opinion_ -= by; }
    void settle() { opinion_ = Duration{0}; }
    Duration opinion() const { return opinion_; }

    // The clock went wrong.
    void doubt() {
        sound_ = false;
        since_ = never;
    }
    // A correction came as expected, or did not.
    void agree(Time raw) {
        if (since_ == never || raw < since_) since_ = raw;
        if (raw - since_ >= probation) sound_ = true;
    }
    void disagree() { since_ = never; }
    bool sound() const { return sound_; }

private:
    Duration opinion_{};
    bool sound_ = true;
    Time since_ = never;  // it has been where it is expected
};

}  // namespace conclave::clock
