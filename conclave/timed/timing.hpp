// The times that the daemon keeps: its own, for rounds of a second, and those of BSD timed.
//
// BSD's are the constants of 4.4BSD and later: four minutes between rounds, an election timer of 6
// to 15 minutes, five copies of what is not acknowledged, doubling from 200 ms.
#pragma once

#include "conclave/election/tempo_settings.hpp"
#include "conclave/timed/config.hpp"

namespace conclave::timed {

struct Timing {
    TempoSettings election{};
    Duration round{};        // between adjustments of a BSD slave ...
    Duration first_round{};  // ... and from becoming master to the first of them
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
    return t;
}

// A slave that hears nothing for two rounds and a bit asks for an election; the deputy first.
inline Timing own_timing(Duration round) {
    using std::chrono::milliseconds;
    Timing t;
    t.round = t.first_round = round;
    t.election.sync = round;
    t.election.r = round * 11 / 5;
    t.election.R = round * 9 / 4;
    t.election.candidate = milliseconds(50);
    t.election.accept = milliseconds(500);
    t.election.startup = milliseconds(600);
    t.election.startup_range = milliseconds(400);
    t.election.no_master = milliseconds(100);
    t.election.consistency = milliseconds(50);
    t.election.conflict = milliseconds(100);
    t.election.deputy = true;
    t.election.ranked = true;
    return t;
}

}  // namespace conclave::timed
