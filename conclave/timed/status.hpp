// How a time daemon stands, as plain values: what status prints and the control socket hands out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conclave/core/time.hpp"

namespace conclave::timed {

struct MemberStatus {
    std::string name{};
    bool own = true;             // else as BSD timed
    std::int64_t offset_ns = 0;  // of its clock to the network's time
    std::int64_t rate_ppb = 0, jitter_ns = 0, error_ns = 0;
    std::string stamps{};  // kernel, user, icmp; empty: not measured by this daemon
    std::string faulty{};  // why its clock is not heard; empty: it is
};

struct ClockStatus {
    std::string kind{};
    std::int64_t offset_ns = 0, drift_ppb = 0;
    std::int64_t estimated_error_ns = 0, maximum_error_ns = 0;
};

struct Status {
    std::string name{};
    std::string state{};   // of the election, as Gusella & Zatti call it
    std::string master{};  // empty: none
    std::uint64_t term = 0;
    std::string mode{};
    Duration round{};
    bool synchronised = false;
    std::string remark{};  // what an operator should know
    ClockStatus clock{};
    std::vector<MemberStatus> members{};
    std::map<std::string, std::uint64_t, std::less<>> dropped{};  // by reason
};

std::string to_json(const Status& status);
// For people, a line each, without the last line's end.
std::string to_text(const Status& status);
std::string to_metrics(const Status& status);

}  // namespace conclave::timed
