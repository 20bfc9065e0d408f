// Tells the programs around a node what it has become: --on-leader and its like.
//
// One at a time and in the order in which things happened, so that the last one to run tells how
// things stand. Where many wait behind a slow one, those in the middle are left out, never the
// last.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "conclave/agent/report/node_status.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/agent/work/shell_script.hpp"
#include "conclave/net/log.hpp"

namespace conclave::agent {

using net::Log;

class Hooks {
public:
    static constexpr std::size_t waiting_most = 32;

    Hooks(net::Loop& loop, const Config& config);

    // Something may have changed.
    void look(const NodeStatus& status);
    bool idle() const { return waiting_.empty() && !script_.running(); }

private:
    struct Hook {
        std::string_view event;  // leader, follower, lost, no-leader
        std::string command, leader, reason;
        std::uint64_t token = 0;
    };
    void announce(std::string_view event, const NodeStatus& status, const std::string& reason);
    const std::string& command_of(std::string_view event) const;
    void run_next();

    const Config& config_;
    Log log_;
    std::string state_ = "forming", told_leader_;
    std::uint64_t token_ = 0, merges_ = 0;
    std::deque<Hook> waiting_;
    Script script_;
};

}  // namespace conclave::agent
