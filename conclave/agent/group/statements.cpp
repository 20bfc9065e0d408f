#include "conclave/agent/group/statements.hpp"

#include <algorithm>
#include <map>

namespace conclave::agent {

namespace {

Statement own_statement(const NodeView& node) {
    const Site& site = node.site;
    return {.name = site.config.name,
            .answered = true,
            .leader = site.leader_name(),
            .version = CONCLAVE_VERSION,
            .hears = site.peers.names_heard(net::boot_time() - 2 * site.config.detect),
            .members = site.roster.names(),
            .witness = site.config.witness,
            .healthy = node.readiness.healthy(),
            .paused = node.readiness.paused(),
            .uptime_ns = site.age()};
}

Statement statement_of(const Peer& peer, const std::string& name) {
    const Presence& said = peer.said;
    return {.name = name,
            .answered = true,
            .leader = said.leader,
            .version = said.version,
            .hears = said.hearing,
            .members = said.fixed ? said.roster : std::vector<std::string>{},
            .witness = said.witness,
            .healthy = said.healthy,
            .paused = said.paused,
            .uptime_ns = said.uptime};
}

using Statements = std::vector<Statement>;

// The members that say the same, by what they say: "a, b say 'c'; d says nobody". Empty: all agree.
template <class Say>
std::string contradiction(const Statements& statements, const Say& say) {
    std::map<std::string, std::vector<std::string>> camps;
    for (const Statement& each : statements)
        if (each.answered)
            if (const std::string said = say(each); !said.empty()) camps[said].push_back(each.name);
    if (camps.size() < 2) return {};
    std::string text;
    for (const auto& [said, names] : camps)
        text += (text.empty() ? "" : "; ") + join(names) +
                (names.size() == 1 ? " says " : " say ") + said;
    return text;
}

// Those that follow say nothing to each other unless everybody is asked, which a page does once a
// second at most: with a shorter detection time, not to hear somebody means nothing.
constexpr Duration enough_to_hear = std::chrono::milliseconds(750);

bool misses(const Statement& who, const Statement& other, Duration detect) {
    const auto& hears = who.hears;
    const bool full = size_on_wire(hears) + size_on_wire({other.name}) > Roster::bytes_most;
    const Duration known = 3 * detect;
    return who.answered && other.answered && who.name != other.name && !full &&
           std::min(who.uptime_ns, other.uptime_ns) > known &&
           std::find(hears.begin(), hears.end(), other.name) == hears.end();
}

std::string role_of(const Statement& each) {
    if (each.leader.empty()) return "no leader";
    return each.leader == each.name ? "leads" : "follows " + each.leader;
}

std::string line_of(const Statement& each) {
    std::string text = name_column(each.name) + " ";
    if (!each.answered) return text + "no answer";
    text += role_of(each) + "  hears " + std::to_string(each.hears.size()) + "  up " +
            std::to_string(each.uptime_ns / std::chrono::seconds(1)) + " s  " + each.version;
    return text + (each.witness ? "  witness" : "") + (each.healthy ? "" : "  unhealthy") +
           (each.paused ? "  paused" : "");
}

}  // namespace

std::vector<Statement> statements_of(const NodeView& node, Time asked) {
    const Site& site = node.site;
    std::vector<Statement> statements;
    for (const Id id : site.members()) {
        if (id == site.me) {
            statements.push_back(own_statement(node));
            continue;
        }
        const std::string name = site.roster.name_of(id);
        const Peer* peer = site.peers.find(id);
        const bool answered = peer != nullptr && !peer->gone && peer->said_at >= asked;
        statements.push_back(answered ? statement_of(*peer, name) : Statement{.name = name});
    }
    return statements;
}

std::vector<std::string> disagreements_of(const Statements& statements, Duration detect) {
    std::vector<std::string> found;
    const std::string leaders = contradiction(statements, [](const Statement& each) {
        return each.leader.empty() ? std::string("nobody") : "'" + each.leader + "'";
    });
    if (!leaders.empty())
        found.push_back("members disagree about the leader: " + leaders +
                        ": a failover is under way, or the network between them is cut");
    const std::string members =
        contradiction(statements, [](const Statement& each) { return join(each.members); });
    if (!members.empty())
        found.push_back("members disagree about who is a member: " + members +
                        ": a change of the members is under way");
    if (2 * detect < enough_to_hear) return found;
    for (const Statement& who : statements)
        for (const Statement& other : statements)
            if (misses(who, other, detect))
                found.push_back("'" + who.name + "' does not hear '" + other.name +
                                "', which is up: the way from '" + other.name + "' to '" +
                                who.name + "' is blocked");
    return found;
}

std::string to_text(const Statements& statements, Duration detect) {
    if (statements.empty()) return "the group is still forming: see conclave status";
    std::string text;
    for (const Statement& each : statements) text += (text.empty() ? "" : "\n") + line_of(each);
    for (const std::string& each : disagreements_of(statements, detect)) text += "\n" + each;
    return text;
}

}  // namespace conclave::agent
