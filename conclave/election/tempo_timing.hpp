// The times of our own time daemons, which adjust clocks every second or so and not, as the paper
// and BSD timed do, every four minutes; and what a slave does before it stands.
//
// A slave that misses an adjustment asks its master again, thirty times within a round, and
// stands only if none of that is answered: an election for every packet that is lost
// would leave nobody in office for long. The daemon and the simulator host TEMPO with this.
#pragma once

#include "conclave/election/tempo_settings.hpp"

namespace conclave {

// Asking again, before the election timer counts as expired.
struct Inquiry {
    static constexpr std::uint32_t most = 30;
    std::uint32_t asked = 0;

    static constexpr Duration pause(Duration round) { return round / 30; }
    // True: once more; false: nobody has answered.
    bool ask_again() {
        if (asked == most) return false;
        ++asked;
        return true;
    }
    void answered() { asked = 0; }
};

// A slave that hears nothing for a round and a bit asks, the deputy first.
inline TempoSettings own_tempo(Duration round) {
    using std::chrono::milliseconds;
    TempoSettings t;
    t.sync = round;
    t.r = round * 7 / 5;
    t.R = round * 9 / 4;
    t.fresh = true;  // so that who collided once need not collide for ever
    t.candidate = milliseconds(50);
    t.accept = milliseconds(500);
    t.startup = milliseconds(600);
    t.startup_range = milliseconds(400);
    t.no_master = milliseconds(100);
    t.consistency = milliseconds(50);
    t.conflict = milliseconds(100);
    t.resend = milliseconds(200);  // the first wait of a series that doubles
    t.deputy = true;
    t.ranked = true;
    t.reading.masterreq = TempoReading::Asking::once;  // its host repeats it until it is answered
    t.reading.at_startup = TempoReading::AtStartup::drop;  // or all of a cold start wait for r
    return t;
}

}  // namespace conclave
