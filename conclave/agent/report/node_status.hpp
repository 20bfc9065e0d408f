// How a node stands, as plain values: what status prints and the control socket hands out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conclave/core/date.hpp"
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

// A moment by the calendar. In JSON an RFC 3339 string, or null where there is none.
class Instant {
public:
    constexpr Instant() = default;
    constexpr explicit Instant(Time since_1970) : since_1970_(since_1970) {}
    constexpr bool known() const { return since_1970_ != Time{}; }
    constexpr Time since_1970() const { return since_1970_; }
    friend constexpr Duration operator-(Instant later, Instant earlier) {
        return later.since_1970_ - earlier.since_1970_;
    }
    friend constexpr auto operator<=>(Instant, Instant) = default;
    friend std::string json(Instant instant) {
        return instant.known() ? quote(format_date(instant.since_1970_)) : "null";
    }

private:
    Time since_1970_{};
};

// The names of durations end in _ns, as JSON has them.
struct MemberStatus {
    std::string name{};
    std::uint32_t id = 0;
    std::string address{};  // empty: never heard
    bool self = false, alive = false, leads = false;
    bool watched = false;  // its silence would be noticed; else `alive` is what was last known
    bool witness = false, healthy = true, paused = false;
    std::uint32_t priority = 0;
    Duration heard_ago_ns{-1};  // -1: never
};
// Somebody led, as this node saw it.
struct TermStatus {
    std::string leader{};
    Token token{};
    Instant began{}, ended{};  // none: it goes on
    std::string how{}, end{};  // it began and ended so
};
struct LeaseStatus {
    Token token{};          // of the present leader as far as known
    std::string value{};    // that it publishes; empty: none, or not heard yet
    Duration ends_in_ns{};  // of the own lease; 0: none is held
    std::uint64_t promised_round = 0;
    Token promised_token{};
    Duration promised_for_ns{};
    bool amnesiac = false;
    std::string phase{};                  // of election and lease
    std::string reason{};                 // of the last change of leader
    std::uint64_t merges = 0;             // members that came back to this node while it led
    std::uint64_t changes = 0;            // so often this node came to follow or to lead
    Duration leaderless_ns{};             // time without a known leader, in total
    std::vector<std::string> promises{};  // to this node, while it stands: who answered in time
    std::vector<TermStatus> terms{};      // the last ones, oldest first
};
// A command that ended well, which no member starts again before conclave resume.
struct DoneStatus {
    Token token{};  // 0: there is none
    std::string node{};
    Instant ended{};
};
struct WorkStatus {
    std::string command{};
    std::string phase{};  // none, running, stopping, done
    DoneStatus done{};
    std::string containment{};
    std::uint32_t starts = 0;
    Duration late_ns{};    // the timers that end the command rang this late, the worst of late
    Duration margin_ns{};  // it is killed this long before its lease ends; 0: no command
};
// May this node lead?
struct FitnessStatus {
    bool healthy = true, paused = false;
    std::string words{};     // of the last health check that changed it
    std::string obstacle{};  // why this machine cannot lead, however healthy; empty: it can
    Duration late_ns{};      // greatest recent delay of its heartbeat
};
struct TrafficStatus {
    std::uint64_t sent = 0, received = 0, unsent = 0;
    std::vector<std::string> dropped{};  // "replayed 3": each reason that occurred
    std::string key{};                   // which one seals what the nodes say: see own_key.hpp
};
struct NodeStatus {
    std::string group{}, node{}, version{}, algorithm{};
    std::string state{};   // leader, follower, observer, leaderless, forming
    std::string leader{};  // empty: none
    Duration detect_ns{}, heartbeat_ns{};
    std::string remark{};   // what an operator should know
    std::string pending{};  // change of the members that has begun, "adds 'd'"; empty: none
    LeaseStatus lease{};
    WorkStatus work{};
    FitnessStatus fitness{};
    TrafficStatus traffic{};
    std::vector<MemberStatus> members{};
    Duration uptime_ns{};
    bool may_act = false;  // leads, with time left and a live guardian

    static constexpr auto parts(auto& self) {
        return std::tie(self.group, self.node, self.version, self.algorithm, self.state,
                        self.leader, self.detect_ns, self.heartbeat_ns, self.remark, self.pending,
                        self.lease, self.work, self.fitness, self.traffic, self.members,
                        self.uptime_ns, self.may_act);
    }
};

// The name of a member, as wide as its column.
std::string name_column(std::string name);

// "250 ms", rounded down.
std::string ms_text(Duration span);

// For people, a line each, without the last line's end.
std::string to_text(const NodeStatus& status);
std::string to_text(const std::vector<MemberStatus>& members);
// The leader, its token, address and value; null: there is no leader.
std::string leader_json(const NodeStatus& status);

}  // namespace conclave::agent
