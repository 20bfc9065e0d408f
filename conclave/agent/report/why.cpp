#include "conclave/agent/report/why.hpp"

#include <algorithm>

#include "conclave/agent/group/named_roster.hpp"

namespace conclave::agent {

namespace {

bool is_fit(const MemberStatus& m) { return m.alive && m.healthy && !m.paused && !m.witness; }

// The order in which members are preferred: who may lead, who does, priority, id.
bool better(const MemberStatus& a, const MemberStatus& b) {
    const auto key = [](const MemberStatus& m) {
        return std::tuple(is_fit(m), m.leads, m.priority, m.id);
    };
    return key(a) > key(b);
}

// A node knows of itself what its check has said.
std::string standing_of(const MemberStatus& member, const NodeStatus& status) {
    const FitnessStatus& mine = status.fitness;
    const bool told = member.self && !mine.words.empty();
    if (!member.alive) return "cannot stand: it is silent";
    if (member.witness) return "never stands: it is a witness";
    if (!member.healthy)
        return "does not stand: it is unhealthy" + (told ? " (" + mine.words + ")" : "");
    if (member.paused) return "does not stand: it is paused";
    if (member.self && status.lease.amnesiac) return "cannot stand yet: it has no memory";
    return member.leads ? "leads" : "could stand";
}

std::string candidates(const NodeStatus& status) {
    std::vector<MemberStatus> members = status.members;
    std::sort(members.begin(), members.end(), better);
    std::string text =
        "\nby rank: who may lead, then who does, then priority, then place in the list";
    for (const MemberStatus& member : members)
        text += "\n  " + member.name + ": " + standing_of(member, status) + "; priority " +
                std::to_string(member.priority) + ", place " + std::to_string(member.id) +
                (member.self ? "; this node" : "");
    return text;
}

std::string promises(const NodeStatus& status) {
    const LeaseStatus& lease = status.lease;
    const std::string of = " of " + std::to_string(status.members.size()) + " members";
    if (status.state == "leader")
        return "\npromises: " + std::to_string(lease.promises.size()) + of + " (" +
               join(lease.promises) + "), the lease ends in " + ms_text(lease.ends_in_ns) +
               " unless renewed";
    if (lease.amnesiac)
        return "\npromises: none yet, for this node has no memory of any: it asks all others first";
    if (lease.promised_for_ns == Duration{}) return "\npromises: this node is bound to nobody";
    return "\npromises: this node promised token " + std::to_string(lease.promised_token) +
           " to follow nobody else for " + ms_text(lease.promised_for_ns);
}

std::string terms(const std::vector<TermStatus>& list) {
    std::string text = "\nterms that this node saw, the last first";
    for (auto term = list.rbegin(); term != list.rend(); ++term)
        text += "\n  " + format_date(term->began.since_1970()) + "  " + term->leader + ", token " +
                std::to_string(term->token) + ": " + term->how +
                (!term->ended.known()
                     ? "; leads until now"
                     : "; after " + ms_text(term->ended - term->began) + ": " + term->end);
    return list.empty() ? "\nthis node has not yet seen a leader" : text;
}

}  // namespace

Reasons reasons_of(const NodeStatus& status) {
    const LeaseStatus& lease = status.lease;
    Reasons reasons{.group = status.group,
                    .leader = status.leader,
                    .reason = lease.reason,
                    .token = lease.token,
                    .promises = lease.promises,
                    .promised_round = lease.promised_round,
                    .promised_for_ns = lease.promised_for_ns,
                    .terms = lease.terms};
    std::vector<MemberStatus> members = status.members;
    std::sort(members.begin(), members.end(), better);
    for (const MemberStatus& m : members)
        reasons.candidates.push_back(
            {m.name, standing_of(m, status), is_fit(m), m.leads, m.priority, m.id});
    return reasons;
}

std::string to_reasons(const NodeStatus& status) {
    std::string text = "group " + status.group + ": ";
    if (status.state == "forming") return text + "there is no leader, for it " + status.remark;
    if (status.leader.empty())
        text += "there is no leader" +
                (status.lease.reason.empty() ? "" : ", since " + status.lease.reason);
    else
        text += "'" + status.leader + "' leads under token " + std::to_string(status.lease.token) +
                ": " + status.lease.reason;
    if (!status.pending.empty())
        text += "\na change of the roster is pending, which " + status.pending +
                ": election and lease need a majority of the members and of those before it";
    return text + candidates(status) + promises(status) + terms(status.lease.terms);
}

}  // namespace conclave::agent
