// The timers of TEMPO and what later practice added to it. The proportions are those of 4.3BSD,
// where the master adjusts the clocks every four minutes; the paper gives that interval only.
#pragma once

#include "conclave/core/time.hpp"

namespace conclave {

struct TempoSettings {
    Duration sync = std::chrono::seconds(1);
    Duration r = std::chrono::milliseconds(1500);  // the election timer: uniform over r .. r+R,
    Duration R = std::chrono::milliseconds(2250);  // drawn once at start-up ...
    bool fresh = false;                            // ... or anew whenever it is set
    Duration candidate = std::chrono::milliseconds(12);  // above twice the delay
    Duration accept = std::chrono::milliseconds(120);    // above the length of an election
    Duration startup = std::chrono::milliseconds(25);
    Duration startup_range = std::chrono::milliseconds(250);  // so much longer, at random
    Duration no_master = std::chrono::milliseconds(25);
    Duration consistency = std::chrono::milliseconds(12);
    Duration conflict = std::chrono::milliseconds(12);

    Duration resend = std::chrono::milliseconds(5);  // repeat what is not acknowledged ...
    std::uint32_t copies = 5;                        // ... up to so many copies

    Duration announce{};  // a master announces itself so often; 0: only when it becomes one
    bool deputy = false;  // a master names a deputy, who stands before all others
    bool ranked = false;  // of two masters that would both quit, the greater stays
};

}  // namespace conclave
