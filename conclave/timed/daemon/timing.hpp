// The times that the daemon keeps: its own, for rounds of a second, and those of BSD timed.
//
// BSD's are the constants of 4.4BSD and later: four minutes between rounds, an election timer of 6
// to 15 minutes, five copies of what is not acknowledged, doubling from 200 ms.
#pragma once

#include "conclave/election/tempo_timing.hpp"
#include "conclave/timed/daemon_config.hpp"

namespace conclave::timed {

struct Timing {
    TempoSettings election{};
    Duration round{};        // between adjustments of a BSD slave ...
    Duration first_round{};  // ... and from becoming master to the first of them
    Duration ask{};          // between a slave's questions, before it stands
    Duration reply_delay{};  // an answer to a broadcast waits at random up to this
    Duration resend = std::chrono::milliseconds(200);  // first of a doubling series
    std::uint32_t copies = 5;
};

// `scale` divides all, for tests.
inline Timing bsd_timing(double scale) {
    using std::chrono::milliseconds;
    using std::chrono::seconds;
    const auto scaled = [&](Duration d) {
        return Duration{static_cast<std::int64_t>(static_cast<double>(d.count()) / scale)};
    };
    Timing t;
    t.round = scaled(seconds(240));
    t.first_round = scaled(seconds(3));
    t.ask = scaled(seconds(1));
    t.reply_delay = scaled(milliseconds(100));
    t.resend = scaled(milliseconds(200));
    t.election.sync = t.round;
    t.election.r = scaled(seconds(360));
    t.election.R = scaled(seconds(540));
    t.election.candidate = scaled(seconds(3));
    t.election.accept = scaled(seconds(30));
    t.election.startup = scaled(milliseconds(6200));
    t.election.startup_range = scaled(milliseconds(500));
    t.election.no_master = scaled(milliseconds(500));
    t.election.consistency = scaled(milliseconds(300));
    t.election.conflict = scaled(milliseconds(6200));
    t.election.copies = t.copies;
    t.election.fresh = true;  // so that who collided once need not collide for ever
    return t;
}

inline Timing own_timing(Duration round) {
    Timing t;
    t.round = t.first_round = round;
    t.ask = Inquiry::pause(round);
    t.election = own_tempo(round);
    t.resend = t.election.resend;
    t.copies = t.election.copies;
    return t;
}

}  // namespace conclave::timed
