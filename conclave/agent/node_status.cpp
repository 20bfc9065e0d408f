#include "conclave/agent/node.hpp"
#include "conclave/agent/own_key.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

std::int64_t ms_of(Duration span) { return span / std::chrono::milliseconds(1); }

constexpr std::string_view observer_remark = "observes: is no member, neither votes nor leads";
constexpr std::string_view free_remark =
    "no quorum: every connected part has a leader of its own, so two may lead at once";
constexpr std::string_view blank_remark =
    "has no memory: promises nothing until every other member has told what it promised";

TrafficStatus traffic_of(const PostCounts& counts) {
    TrafficStatus traffic{
        .sent = counts.sent, .received = counts.received, .unsent = counts.unsent};
    for (std::size_t i = 0; i < counts.dropped.size(); ++i) {
        const auto reason = static_cast<wire::Drop>(i);
        if (counts.dropped[i] != 0 && reason != wire::Drop::self)
            traffic.dropped.push_back(std::string(name_of(reason)) + " " +
                                      std::to_string(counts.dropped[i]));
    }
    return traffic;
}

}  // namespace

std::string Node::leader_name() const {
    return leader() == nobody ? "" : roster_.name_of(leader());
}

std::string Node::forming_remark() const {
    if (roster_store_ != 0) return "waits for its disk to store who is in the group";
    return "waits for " + std::to_string(config_.expect) + " nodes, knows of " +
           join(formation_.known);
}

// A new group elects nobody before all have been there, which looks like a fault to who waits.
void Node::tell_awaited() {
    if (!host_ || config_.observer || net::boot_time() - born_ < 2 * config_.detect) return;
    if (!host_->view().blank) return;
    std::vector<std::string> missing;
    for (const Id id : members())
        if (id != me_ && host_->sight(id).suspected) missing.push_back(roster_.name_of(id));
    if (!missing.empty())
        warn_once(1, "waits for " + join(missing) +
                         ": this node has no memory, as in a new group, " +
                         "and promises nothing before every other member has been up with it");
}

Status Node::status() const {
    const Time now = net::boot_time();
    Status status{.group = config_.group, .node = config_.name, .version = CONCLAVE_VERSION};
    status.algorithm = config_.algorithm;
    status.leader = leader_name();
    status.state = !host_               ? "forming"
                   : leader() == me_    ? "leader"
                   : leader() == nobody ? "leaderless"
                   : config_.observer   ? "observer"
                                        : "follower";
    status.detect_ms = ms_of(config_.detect);
    status.heartbeat_ms = ms_of(config_.heartbeat);
    status.uptime_ms = ms_of(now - born_);
    status.fitness = fitness_;
    status.fitness.late_us = late_ / std::chrono::microseconds(1);
    status.traffic = traffic_of(post_->counts());
    status.traffic.key = key_remark(config_);
    status.members = member_status(now);
    for (const std::string& word : config_.command)
        status.work.command += (status.work.command.empty() ? "" : " ") + word;
    status.work.phase = work_->phase();
    status.work.containment = work_->containment();
    status.work.starts = starts_;
    status.work.late_us = work_->lateness() / std::chrono::microseconds(1);
    status.work.margin_us = work_->margin() / std::chrono::microseconds(1);
    if (roster_.size() == 2) status.remark = "no failure tolerated; add a witness";
    if (config_.no_quorum) status.remark = free_remark;
    if (config_.observer) status.remark = observer_remark;
    show_done(status);
    status.fitness.obstacle = find_obstacle();
    if (!status.fitness.obstacle.empty()) status.remark = "cannot lead: " + status.fitness.obstacle;
    if (!host_) {
        if (!config_.observer) status.remark = forming_remark();
        return status;
    }
    const member::View view = host_->view();
    const bool holds = view.acting && !view.leaving && view.ends > now;
    status.may_act = holds && work_->guarded();
    const bool led = view.leader != nobody;  // else the last one's
    status.lease.token = led ? member::leading_token(view, me_) : terms_.token();
    status.lease.ends_in_ms = view.acting && view.ends > now ? ms_of(view.ends - now) : 0;
    status.lease.promised_round = view.promised.round;
    status.lease.promised_token = lease::token_of(view.promised);
    status.lease.promised_for_ms = view.promised_until > now ? ms_of(view.promised_until - now) : 0;
    status.lease.blank = view.blank && !config_.observer;
    if (status.lease.blank) status.remark = view.unsure ? unsure_remark : blank_remark;
    if (!config_.observer) status.lease.phase = view.label;  // it has no part in either
    if (terms_.changes != 0) status.lease.reason = reason(terms_.turn);
    status.lease.merges = terms_.merges;
    status.lease.changes = terms_.changes;
    status.lease.leaderless_ms = ms_of(terms_.leaderless_until(now));
    status.lease.terms = term_status();
    for (const Id id : host_->promises()) status.lease.promises.push_back(roster_.name_of(id));
    return status;
}

std::vector<MemberStatus> Node::member_status(Time now) const {
    std::vector<MemberStatus> list;
    if (!host_) return list;
    for (const Id id : members()) {
        MemberStatus member{.name = roster_.name_of(id), .id = static_cast<std::uint32_t>(id)};
        member.self = id == me_;
        member.leads = id == leader();
        member.alive = member.self || !host_->sight(id).suspected;
        member.watched = !member.self && host_->sight(id).watched;
        if (member.self) {
            member.address = net::text(post_->local());
            member.witness = config_.witness;
            member.healthy = fitness_.healthy;
            member.paused = fitness_.paused;
            member.priority = config_.priority;
            member.heard_ms_ago = 0;
        } else if (const Peer* peer = company_.find(id)) {
            member.address = net::text(peer->address);
            member.witness = peer->said.witness;
            member.healthy = peer->said.healthy;
            member.paused = peer->said.paused;
            member.priority = peer->said.priority;
            member.heard_ms_ago = ms_of(now - peer->heard);
        }
        list.push_back(std::move(member));
    }
    return list;
}

}  // namespace conclave::agent
