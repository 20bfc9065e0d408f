#include "conclave/agent/report/node_status.hpp"

namespace conclave::agent {

namespace {

std::string line(std::string_view name, const std::string& value) {
    if (value.empty()) return {};
    std::string label(name);
    label.resize(12, ' ');
    return "\n  " + label + value;
}

std::string tenths_of_ms(Duration span) {
    const std::int64_t tenths = (span / std::chrono::microseconds(1) + 50) / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

}  // namespace

std::string ms_text(Duration span) {
    return std::to_string(span / std::chrono::milliseconds(1)) + " ms";
}

std::string name_column(std::string name) {
    name.resize(std::max<std::size_t>(name.size(), 16), ' ');
    return name;
}

std::string to_text(const std::vector<MemberStatus>& members) {
    const auto sign = [](const MemberStatus& member) -> std::string {
        if (member.leads) return "leads ";
        if (!member.alive) return "silent";
        if (member.self || member.watched) return "alive ";
        return "heard " + std::to_string(member.heard_ago_ns / std::chrono::seconds(1)) + " s ago";
    };
    std::string text;
    for (const MemberStatus& member : members) {
        text += (text.empty() ? "" : "\n") + name_column(member.name) + " " + sign(member) +
                (member.self ? "  this node" : "") + (member.witness ? "  witness" : "") +
                (member.healthy ? "" : "  unhealthy") + (member.paused ? "  paused" : "") +
                (member.address.empty() ? "" : "  " + member.address);
    }
    return text;
}

std::string to_text(const NodeStatus& status) {
    const LeaseStatus& lease = status.lease;
    const WorkStatus& work = status.work;
    std::string text = "group " + status.group + ", node " + status.node + ": " + status.state;
    if (!status.leader.empty() && status.state != "leader") text += " of " + status.leader;
    text += line("remark", status.remark);
    text += line("change", status.pending.empty() ? "" : status.pending + ", not completed yet");
    text += line("token", lease.token == 0 ? "" : std::to_string(lease.token));
    text += line("value", lease.value);
    text += line("lease", lease.phase +
                              (lease.ends_in_ns == Duration{}
                                   ? ""
                                   : ", ends in " + ms_text(lease.ends_in_ns) + " unless renewed"));
    if (!work.command.empty())
        text += line("work",
                     work.phase + ": " + work.command + " (containment " + work.containment + ")");
    if (work.phase == "running")
        text += line("margin", tenths_of_ms(work.margin_ns) +
                                   " before the lease ends; timers ring up to " +
                                   tenths_of_ms(work.late_ns) + " late");
    text += line("election", status.algorithm + ", heartbeat " + ms_text(status.heartbeat_ns) +
                                 ", detection " + ms_text(status.detect_ns));
    text += line("key", status.traffic.key);
    for (const MemberStatus& member : status.members)
        text += line("member", to_text(std::vector{member}));
    return text;
}

std::string leader_json(const NodeStatus& status) {
    if (status.leader.empty()) return R"({"leader":null})";
    std::string address;
    for (const MemberStatus& member : status.members)
        if (member.leads) address = member.address;
    return R"({"leader":)" + quote(status.leader) + R"(,"token":)" + json(status.lease.token) +
           R"(,"address":)" + quote(address) + R"(,"value":)" + quote(status.lease.value) + "}";
}

}  // namespace conclave::agent
