#include "conclave/agent/node_view.hpp"

#include "conclave/agent/pace/jitter.hpp"
#include "conclave/agent/settings/own_key.hpp"
#include "conclave/core/date.hpp"
#include "conclave/core/names.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

constexpr std::string_view observer_remark = "observes: is no member, neither votes nor leads";
constexpr std::string_view free_remark =
    "no quorum: every connected part has a leader of its own, so two may lead at once";
constexpr std::string_view amnesiac_remark =
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

MemberStatus member_of(const NodeView& node, Id id, Time now) {
    const Site& site = node.site;
    MemberStatus member{.name = site.roster.name_of(id), .id = static_cast<std::uint32_t>(id)};
    member.self = id == site.me;
    member.leads = id == site.leader();
    member.alive = member.self || !site.host->sight(id).suspected;
    member.watched = !member.self && site.host->sight(id).watched;
    if (member.self) {
        member.address = net::text(site.post->local());
        member.witness = site.config.witness;
        member.healthy = node.readiness.healthy();
        member.paused = node.readiness.paused();
        member.priority = site.config.priority;
        member.heard_ago_ns = Duration{};
    } else if (const Peer* peer = site.peers.find(id)) {
        member.address = net::text(peer->address);
        member.witness = peer->said.witness;
        member.healthy = peer->said.healthy;
        member.paused = peer->said.paused;
        member.priority = peer->said.priority;
        member.heard_ago_ns = now - peer->heard;
    }
    return member;
}

std::string_view state_of(const Site& site) {
    if (!site.host) return "forming";
    if (site.leads()) return "leader";
    if (site.leader() == nobody) return "leaderless";
    return site.config.observer ? "observer" : "follower";
}

void show_done(const member::Done& done, NodeStatus& status) {
    if (!done.in_force()) return;
    status.work.done = {done.token, done.node, Instant{std::chrono::milliseconds(done.unix_ms)}};
    if (status.work.phase == "none") status.work.phase = "done";
    status.remark = "the command is done, ended well on '" + done.node + "' at " +
                    format_date(status.work.done.ended.since_1970()) + " under token " +
                    std::to_string(done.token) + ": conclave resume starts it again";
}

void show_lease(const NodeView& node, const member::View& view, Time now, NodeStatus& status) {
    const Site& site = node.site;
    LeaseStatus& lease = status.lease;
    const bool led = view.leader != nobody;  // else the last one's
    lease.token = led ? member::leading_token(view, site.me) : node.history.token();
    if (led)
        lease.value = site.leads() ? node.publications.own() : node.publications.heard(lease.token);
    lease.ends_in_ns = view.acting && view.ends > now ? view.ends - now : Duration{};
    lease.promised_round = view.promised.round;
    lease.promised_token = lease::token_of(view.promised);
    lease.promised_for_ns = view.promised_until > now ? view.promised_until - now : Duration{};
    lease.amnesiac = view.amnesiac && !site.config.observer;
    if (lease.amnesiac) status.remark = view.unsure ? unsure_remark : amnesiac_remark;
    if (!site.config.observer) lease.phase = view.label;  // it has no part in either
    node.history.show(lease, now);
    for (const Id id : site.host->promises()) lease.promises.push_back(site.roster.name_of(id));
}

}  // namespace

NodeStatus status_of(const NodeView& node) {
    const Site& site = node.site;
    const Config& config = site.config;
    const Time now = net::boot_time();
    NodeStatus status{.group = config.group, .node = config.name, .version = CONCLAVE_VERSION};
    status.algorithm = config.algorithm;
    status.leader = site.leader_name();
    status.state = state_of(site);
    status.detect_ns = config.detect;
    status.heartbeat_ns = config.heartbeat;
    status.uptime_ns = site.age();
    status.fitness = node.readiness.status();
    status.fitness.late_ns = node.lateness.worst();
    status.traffic = traffic_of(site.post->counts());
    status.traffic.key = key_remark(config);
    node.runner.show(status.work);
    status.pending = pending_change(site.roster);
    if (site.roster.size() == 2) status.remark = "no failure tolerated; add a witness";
    if (config.no_quorum) status.remark = free_remark;
    if (config.observer) status.remark = observer_remark;
    show_done(node.keeper.done().known, status);
    if (!status.fitness.obstacle.empty()) status.remark = "cannot lead: " + status.fitness.obstacle;
    if (!site.host) {
        if (!config.observer) status.remark = node.enrolment.remark();
        return status;
    }
    for (const Id id : site.members()) status.members.push_back(member_of(node, id, now));
    const member::View view = site.host->view();
    const bool holds = view.acting && !view.leaving && view.ends > now;
    status.may_act = holds && node.runner.work().guarded();
    show_lease(node, view, now, status);
    return status;
}

Bound bound_of(const NodeView& node) {
    const Config& config = node.site.config;
    const Work& work = node.runner.work();
    const std::uint32_t members =
        node.site.roster.empty() ? config.expect : node.site.roster.size();
    std::string contain = work.containment();
    if (contain == "none" && !config.command.empty()) contain = "undecided";
    Bound bound = compute_bound(config, members, contain);
    if (work.margin() == Duration{}) return bound;
    bound.killed_ns = std::chrono::ceil<std::chrono::milliseconds>(work.margin());
    bound.assumed.push_back("the timers that end the command ring less than " +
                            format_duration(rounded(work.margin())) + " late; the worst of late: " +
                            format_duration(rounded(work.lateness())));
    return bound;
}

}  // namespace conclave::agent
