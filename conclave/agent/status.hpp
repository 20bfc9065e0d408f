// How a node stands, as plain values: what status prints and the control socket hands out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conclave/core/text.hpp"

namespace conclave::agent {

struct MemberStatus {
    std::string name{};
    std::uint32_t id = 0;
    std::string address{};  // empty: never heard
    bool self = false, alive = false, leads = false;
    bool witness = false, healthy = true;
    std::uint32_t priority = 0;
    std::int64_t heard_ms_ago = -1;  // -1: never
};
struct LeaseStatus {
    std::uint64_t token = 0;      // of the present leader as far as known
    std::int64_t ends_in_ms = 0;  // of the own lease; 0: none is held
    std::uint64_t promised_round = 0;
    std::int64_t promised_for_ms = 0;
    bool blank = false;
    std::string phase{};  // of election and lease
};
struct WorkStatus {
    std::string command{};
    std::string phase{};  // none, running, stopping
    std::string containment{};
    std::uint32_t starts = 0;
};
struct TrafficStatus {
    std::uint64_t sent = 0, received = 0, unsent = 0;
    std::vector<std::string> dropped{};  // "replayed 3": each reason that occurred
};
struct Status {
    std::string group{}, node{}, version{}, algorithm{};
    std::string state{};   // leader, follower, leaderless, forming
    std::string leader{};  // empty: none
    std::int64_t detect_ms = 0, heartbeat_ms = 0;
    std::string remark{};  // what an operator should know
    LeaseStatus lease{};
    WorkStatus work{};
    TrafficStatus traffic{};
    std::vector<MemberStatus> members{};
    std::int64_t uptime_ms = 0;
    bool may_act = false;  // leads, with time left and a live guardian
};

// For people, a line each, without the last line's end.
std::string to_text(const Status& status);
std::string to_text(const std::vector<MemberStatus>& members);

}  // namespace conclave::agent
