#include "conclave/agent/report/metrics.hpp"

#include <algorithm>

namespace conclave::agent {

namespace {

// Names of groups and nodes hold nothing that would need escaping: see name_problem().
class Page {
public:
    explicit Page(const NodeStatus& status)
        : labels_("group=\"" + status.group + "\",node=\"" + status.node + "\"") {}

    void head(const std::string& name, const std::string& type, const std::string& help) {
        text_ += "# HELP conclave_" + name + " " + help + "\n# TYPE conclave_" + name + " " + type +
                 "\n";
    }
    void value(const std::string& name, const std::string& number, const std::string& more = {}) {
        text_ += "conclave_" + name + "{" + labels_ + (more.empty() ? "" : "," + more) + "} " +
                 number + "\n";
    }
    void one(const std::string& name, const std::string& type, const std::string& help,
             const std::string& number) {
        head(name, type, help);
        value(name, number);
    }
    const std::string& text() const { return text_; }

private:
    std::string labels_, text_;
};

// Prometheus counts in seconds; to the microsecond is enough.
std::string seconds(Duration span) {
    std::string text = std::to_string(span / std::chrono::microseconds(1));
    constexpr std::size_t digits = 6;
    if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
    return text.insert(text.size() - digits, ".");
}
std::string bit(bool yes) { return yes ? "1" : "0"; }

void write_lease(Page& page, const NodeStatus& status) {
    const LeaseStatus& lease = status.lease;
    page.one("leader", "gauge", "1 if this node leads and may act.", bit(status.may_act));
    page.one("has_leader", "gauge", "1 if this node knows of a leader.",
             bit(!status.leader.empty()));
    page.head("token_info", "gauge", "Fencing token of the present lease, as a label.");
    if (lease.token != 0)
        page.value("token_info", "1", "token=\"" + std::to_string(lease.token) + "\"");
    page.one("lease_remaining_seconds", "gauge", "Left of this node's lease unless renewed.",
             seconds(lease.ends_in_ns));
    page.one("leader_changes_total", "counter", "So often this node came to follow or to lead.",
             std::to_string(lease.changes));
    page.one("leaderless_seconds_total", "counter", "Time without a leader known here.",
             seconds(lease.leaderless_ns));
    page.one("merges_total", "counter", "Members that came back while this node led.",
             std::to_string(lease.merges));
    page.one("work_starts_total", "counter", "So often the command was started here.",
             std::to_string(status.work.starts));
    page.one("guardian_lateness_seconds", "gauge",
             "Worst recent lateness of the timers that end the command.",
             seconds(status.work.late_ns));
    page.one("guardian_margin_seconds", "gauge",
             "The command is killed this long before its lease ends.",
             seconds(status.work.margin_ns));
}

void write_node(Page& page, const NodeStatus& status) {
    const auto alive = std::count_if(status.members.begin(), status.members.end(),
                                     [](const MemberStatus& member) { return member.alive; });
    page.one("members", "gauge", "Members of the group.", std::to_string(status.members.size()));
    page.one("members_alive", "gauge", "Members not known to be silent.", std::to_string(alive));
    page.one("healthy", "gauge", "1 if the health check is content.", bit(status.fitness.healthy));
    page.one("paused", "gauge", "1 if an operator paused this node.", bit(status.fitness.paused));
    page.one("timer_lateness_seconds", "gauge", "So late this node's heartbeat rang, at worst.",
             seconds(status.fitness.late_ns));
    page.one("uptime_seconds", "gauge", "Since this node started.", seconds(status.uptime_ns));
}

void write_traffic(Page& page, const TrafficStatus& traffic) {
    page.head("datagrams_total", "counter", "Datagrams of this node.");
    page.value("datagrams_total", std::to_string(traffic.sent), "way=\"sent\"");
    page.value("datagrams_total", std::to_string(traffic.received), "way=\"received\"");
    page.value("datagrams_total", std::to_string(traffic.unsent), "way=\"unsent\"");
    page.head("dropped_total", "counter", "Datagrams that were dropped, by reason.");
    for (const std::string& each : traffic.dropped) {
        const auto space = each.rfind(' ');
        page.value("dropped_total", each.substr(space + 1),
                   "reason=\"" + each.substr(0, space) + "\"");
    }
}

void write_failovers(Page& page, const std::vector<FailoverStatus>& failovers) {
    page.head("bound_seconds", "gauge", "Longest time without a leader, as computed.");
    for (const FailoverStatus& each : failovers)
        page.value("bound_seconds", seconds(each.bound_ns), "case=\"" + each.cause + "\"");
    page.head("failover_seconds", "gauge",
              "Longest time without a leader that this node measured.");
    for (const FailoverStatus& each : failovers)
        if (each.count != 0)
            page.value("failover_seconds", seconds(each.worst_ns), "case=\"" + each.cause + "\"");
}

}  // namespace

std::string to_metrics(const Overview& overview) {
    const NodeStatus& status = overview.status;
    Page page(status);
    write_lease(page, status);
    write_node(page, status);
    write_traffic(page, status.traffic);
    write_failovers(page, overview.failovers);
    return page.text();
}

}  // namespace conclave::agent
