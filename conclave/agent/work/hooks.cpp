#include "conclave/agent/work/hooks.hpp"

namespace conclave::agent {

Hooks::Hooks(net::Loop& loop, const Config& config)
    : config_(config), log_(config.group + "/" + config.name), script_(loop) {}

// What is said follows from two states, the one before and the one now. A node that starts has
// nothing to say before it knows of a leader.
void Hooks::look(const NodeStatus& status) {
    const bool led = state_ == "leader", leads = status.state == "leader";
    const bool other = status.leader != told_leader_ || status.lease.token != token_;
    const bool merged = status.lease.merges != merges_;
    const std::string before = std::exchange(state_, status.state);
    const std::string former = std::exchange(told_leader_, status.leader);
    token_ = status.lease.token;
    merges_ = status.lease.merges;
    if (led && !leads) announce("lost", status, status.lease.reason);
    if (leads && (!led || other)) return announce("leader", status, status.lease.reason);
    if (leads && merged) return announce("leader", status, "merge");
    // An observer sees a leader as a follower does.
    const bool follows = state_ == "follower" || state_ == "observer";
    if (follows && (before != state_ || status.leader != former))
        return announce("follower", status, status.lease.reason);
    if (state_ == "leaderless" && (led || !former.empty()))
        announce("no-leader", status, status.lease.reason);
}

const std::string& Hooks::command_of(std::string_view event) const {
    if (event == "leader") return config_.on_leader;
    if (event == "follower") return config_.on_follower;
    return event == "lost" ? config_.on_lost : config_.on_no_leader;
}

void Hooks::announce(std::string_view event, const NodeStatus& status, const std::string& reason) {
    const std::string& command = command_of(event);
    if (command.empty()) return;
    waiting_.push_back({event, command, status.leader, reason, status.lease.token});
    if (waiting_.size() > waiting_most) {
        waiting_.pop_front();
        log_.warn("the hooks are too slow: one was left out");
    }
    run_next();
}

void Hooks::run_next() {
    if (waiting_.empty() || script_.running()) return;
    const Hook hook = waiting_.front();
    waiting_.pop_front();
    script_.start(hook.command,
                  {{"CONCLAVE_GROUP", config_.group},
                   {"CONCLAVE_NODE", config_.name},
                   {"CONCLAVE_EVENT", std::string(hook.event)},
                   {"CONCLAVE_LEADER", hook.leader},
                   {"CONCLAVE_TOKEN", std::to_string(hook.token)},
                   {"CONCLAVE_REASON", hook.reason}},
                  config_.hook_timeout, [this, event = hook.event](bool well, const auto& words) {
                      if (!well) log_.warn("--on-" + std::string(event) + ": the command " + words);
                      run_next();
                  });
}

}  // namespace conclave::agent
