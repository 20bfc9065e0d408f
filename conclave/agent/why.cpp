#include "conclave/agent/why.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "conclave/agent/roster.hpp"

namespace conclave::agent {

namespace {

std::string clock_time(std::int64_t unix_ms) {
    const auto seconds = static_cast<std::time_t>(unix_ms / 1000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 32> written{};
    std::strftime(written.data(), written.size(), "%Y-%m-%d %H:%M:%S", &parts);
    std::string ms = std::to_string(unix_ms % 1000);
    return std::string(written.data()) + "." + std::string(3 - ms.size(), '0') + ms + "Z";
}

bool is_fit(const MemberStatus& m) { return m.alive && m.healthy && !m.paused && !m.witness; }

// The order in which members are preferred: who may lead, who does, priority, id.
bool better(const MemberStatus& a, const MemberStatus& b) {
    const auto key = [](const MemberStatus& m) {
        return std::tuple(is_fit(m), m.leads, m.priority, m.id);
    };
    return key(a) > key(b);
}

// A node knows of itself what its check has said.
std::string standing_of(const MemberStatus& member, const Status& status) {
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

std::string candidates(const Status& status) {
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

std::string promises(const Status& status) {
    const LeaseStatus& lease = status.lease;
    const std::string of = " of " + std::to_string(status.members.size()) + " members";
    if (status.state == "leader")
        return "\npromises: " + std::to_string(lease.promises.size()) + of + " (" +
               join(lease.promises) + "), the lease ends in " + std::to_string(lease.ends_in_ms) +
               " ms unless renewed";
    if (lease.amnesiac)
        return "\npromises: none yet, for this node has no memory of any: it asks all others first";
    if (lease.promised_for_ms == 0) return "\npromises: this node is bound to nobody";
    return "\npromises: this node promised token " + std::to_string(lease.promised_token) +
           " to follow nobody else for " + std::to_string(lease.promised_for_ms) + " ms";
}

std::string terms(const std::vector<TermStatus>& list) {
    std::string text = "\nterms that this node saw, the last first";
    for (auto term = list.rbegin(); term != list.rend(); ++term)
        text +=
            "\n  " + clock_time(term->began_ms) + "  " + term->leader + ", token " +
            std::to_string(term->token) + ": " + term->how +
            (term->ended_ms == 0 ? "; leads until now"
                                 : "; after " + std::to_string(term->ended_ms - term->began_ms) +
                                       " ms: " + term->end);
    return list.empty() ? "\nthis node has not yet seen a leader" : text;
}

}  // namespace

Reasons reasons_of(const Status& status) {
    const LeaseStatus& lease = status.lease;
    Reasons reasons{.group = status.group,
                    .leader = status.leader,
                    .reason = lease.reason,
                    .token = lease.token,
                    .promises = lease.promises,
                    .promised_round = lease.promised_round,
                    .promised_for_ms = lease.promised_for_ms,
                    .terms = lease.terms};
    std::vector<MemberStatus> members = status.members;
    std::sort(members.begin(), members.end(), better);
    for (const MemberStatus& m : members)
        reasons.candidates.push_back(
            {m.name, standing_of(m, status), is_fit(m), m.leads, m.priority, m.id});
    return reasons;
}

std::string to_reasons(const Status& status) {
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
