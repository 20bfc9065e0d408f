// How a time daemon stands, as plain values: what status prints and the control socket hands out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conclave/clock/error_bound.hpp"
#include "conclave/timed/report/wanted.hpp"

namespace conclave::timed {

// A master's measurement of a member's clock. Nothing: not known yet.
struct Measured {
    std::optional<std::int64_t> offset_ns{};  // of its clock to the network's time
    std::optional<std::int64_t> rate_ppb{};   // by which it would run away, uncorrected
    std::optional<std::int64_t> jitter_ns{}, error_ns{};
    std::string stamps{};  // kernel, user, icmp
};

struct ClockMemberStatus {
    std::string name{};
    bool own = true;  // else as BSD timed
    std::string address{};
    Duration heard{};                    // so long ago
    std::optional<Measured> measured{};  // only the master measures
    std::string faulty{};                // why its clock is not heard; empty: it is
};

struct ClockStatus {
    std::string kind{};
    std::optional<std::int64_t> offset_ns{};  // nothing: no network's time is known
    std::int64_t drift_ppb = 0;
    std::optional<clock::ErrorBound> bound{};  // nothing: the time is unknown
};

struct DaemonStatus {
    std::string name{};
    std::string state{};   // of the election, as Gusella & Zatti call it
    std::string master{};  // empty: none
    std::uint64_t term = 0;
    std::string mode{};
    Duration round{};
    bool has_time = false;  // it was told the network's time, or founded it
    clock::Trust trust = clock::Trust::unknown;
    Duration trusted_for{};               // so long that has been so
    std::uint64_t clocks = 0;             // behind the time, this one included
    std::string remark{};                 // what an operator should know
    std::vector<std::string> warnings{};  // a sentence each, of what somebody has to mend
    Wanted wanted{};                      // when this clock is good

    ClockStatus clock{};
    std::vector<ClockMemberStatus> members{};
    std::map<std::string, std::uint64_t, std::less<>> dropped{};  // by reason
};

// "12.3 us", "-4 ms", "3600 s": three digits or more and a unit that fits. Rounded away from 0, for
// no error is smaller than what is said of it.
std::string span(Duration value);
// The parts of the error bound and their sum, or null.
std::string bound_json(const ClockStatus& clock);

std::string to_json(const DaemonStatus& status);
// For people, a line each, without the last line's end.
std::string to_text(const DaemonStatus& status);
std::string to_metrics(const DaemonStatus& status);

}  // namespace conclave::timed
