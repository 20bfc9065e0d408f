// How a node stands, as plain values: what status prints and the control socket hands out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conclave/core/text.hpp"

namespace conclave::agent {

// A fencing token. A string in JSON: readers keep numbers exact only up to 2^53, tokens are
// greater.
class Token {
public:
    constexpr Token(std::uint64_t value = 0) : value_(value) {}
    constexpr operator std::uint64_t() const { return value_; }
    friend std::string json(Token token) { return quote(std::to_string(token.value_)); }

private:
    std::uint64_t value_;
};

struct MemberStatus {
    std::string name{};
    std::uint32_t id = 0;
    std::string address{};  // empty: never heard
    bool self = false, alive = false, leads = false;
    bool watched = false;  // its silence would be noticed; else `alive` is what was last known
    bool witness = false, healthy = true, paused = false;
    std::uint32_t priority = 0;
    std::int64_t heard_ms_ago = -1;  // -1: never
};
// Somebody led, as this node saw it; times are Unix milliseconds.
struct TermStatus {
    std::string leader{};
    Token token{};
    std::int64_t began_ms = 0, ended_ms = 0;  // 0: it goes on
    std::string how{}, end{};                 // it began and ended so
};
struct LeaseStatus {
    Token token{};                // of the present leader as far as known
    std::string value{};          // that it publishes; empty: none, or not heard yet
    std::int64_t ends_in_ms = 0;  // of the own lease; 0: none is held
    std::uint64_t promised_round = 0;
    Token promised_token{};
    std::int64_t promised_for_ms = 0;
    bool amnesiac = false;
    std::string phase{};                  // of election and lease
    std::string reason{};                 // of the last change of leader
    std::uint64_t merges = 0;             // members that came back to this node while it led
    std::uint64_t changes = 0;            // so often this node came to follow or to lead
    std::int64_t leaderless_ms = 0;       // so long it knew of no leader, all in all
    std::vector<std::string> promises{};  // to this node, while it stands: who answered in time
    std::vector<TermStatus> terms{};      // the last ones, oldest first
};
// A command that ended well, which no member starts again before conclave resume.
struct DoneStatus {
    Token token{};  // 0: there is none
    std::string node{};
    std::int64_t unix_ms = 0;
};
struct WorkStatus {
    std::string command{};
    std::string phase{};  // none, running, stopping, done
    DoneStatus done{};
    std::string containment{};
    std::uint32_t starts = 0;
    std::int64_t late_us = 0;  // the timers that end the command rang this late, the worst of late
    std::int64_t margin_us = 0;  // it is killed this long before its lease ends; 0: no command
};
// May this node lead?
struct FitnessStatus {
    bool healthy = true, paused = false;
    std::string words{};       // of the last health check that changed it
    std::string obstacle{};    // why this machine cannot lead, however healthy; empty: it can
    std::int64_t late_us = 0;  // so much too late its heartbeat rang, the worst of late
};
struct TrafficStatus {
    std::uint64_t sent = 0, received = 0, unsent = 0;
    std::vector<std::string> dropped{};  // "replayed 3": each reason that occurred
    std::string key{};                   // which one seals what the nodes say: see own_key.hpp
};
struct Status {
    std::string group{}, node{}, version{}, algorithm{};
    std::string state{};   // leader, follower, observer, leaderless, forming
    std::string leader{};  // empty: none
    std::int64_t detect_ms = 0, heartbeat_ms = 0;
    std::string remark{};   // what an operator should know
    std::string pending{};  // change of the members that has begun, "adds 'd'"; empty: none
    LeaseStatus lease{};
    WorkStatus work{};
    FitnessStatus fitness{};
    TrafficStatus traffic{};
    std::vector<MemberStatus> members{};
    std::int64_t uptime_ms = 0;
    bool may_act = false;  // leads, with time left and a live guardian

    static constexpr auto parts(auto& self) {
        return std::tie(self.group, self.node, self.version, self.algorithm, self.state,
                        self.leader, self.detect_ms, self.heartbeat_ms, self.remark, self.pending,
                        self.lease, self.work, self.fitness, self.traffic, self.members,
                        self.uptime_ms, self.may_act);
    }
};

// The name of a member, as wide as its column.
std::string name_column(std::string name);

// For people, a line each, without the last line's end.
std::string to_text(const Status& status);
std::string to_text(const std::vector<MemberStatus>& members);
// The leader, its token, address and value; null: there is no leader.
std::string leader_json(const Status& status);

}  // namespace conclave::agent
