// What is wrong in and around this node, as far as it can tell.
#include <algorithm>

#include "conclave/agent/jitter.hpp"
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

void Node::question_peers() {
    questioned_ = net::boot_time();
    ask_presence();
}

void Node::ask_presence() {
    const Bytes bytes = bytes_of(Question{});
    post_->send_all(wire::Kind::agent, bytes);
    for (const Peer& peer : company_.peers())
        post_->send(peer.receiver(), wire::Kind::agent, bytes);
}

// Members that follow say nothing to each other unasked, and a question may be lost on its way. So
// it is passed on: whoever can be reached from anywhere tells everybody who it is.
void Node::hear(Peer& peer, const Question&) {
    const Receiver from = peer.receiver();
    show(&from);
    if (peer.member != nobody && roll_calls_.allow(net::boot_time()))
        post_->send_all(wire::Kind::agent, bytes_of(RollCall{}));
}

void Node::hear(Peer&, const RollCall&) {
    if (roll_answers_.allow(net::boot_time())) show(nullptr);
}

std::vector<std::string> Node::examine() const {
    std::vector<std::string> findings;
    if (!host_)
        findings.push_back(config_.observer ? "no member of the group has been heard yet"
                                            : "the group is still forming: " + forming_remark());
    for (const Peer& peer : company_.peers()) examine_peer(peer, findings);
    if (host_)
        for (const Id id : members())
            if (id != me_ && company_.find(id) == nullptr)
                findings.push_back("'" + roster_.name_of(id) + "' was never heard" +
                                   where_lost(roster_.name_of(id), net::boot_time() - born_));
    if (host_ && host_->view().unsure)
        findings.push_back("this node " + std::string(unsure_remark));
    if (const std::string obstacle = find_obstacle(); !obstacle.empty())
        findings.push_back("this node cannot lead: " + obstacle);
    for (const net::Address& each : post_->mute())
        findings.push_back("a node of this group at " + net::text(each) +
                           " is heard, but answers nothing: the way from here to it is blocked; "
                           "open udp port " +
                           std::to_string(each.port) + " there");
    examine_traffic(findings);
    examine_timing(findings);
    if (!fitness_.healthy)
        findings.push_back("this node is unhealthy: " +
                           (fitness_.words.empty() ? "no check has answered yet" : fitness_.words));
    if (config_.insecure && config_.key.empty())
        findings.push_back(
            "anybody on the network can take part (--insecure): make a key with conclave keygen "
            "FILE, and give every node --key FILE");
    if (roster_.size() == 2 && !config_.no_quorum)
        findings.push_back("two members tolerate no failure: add a third, or a --witness");
    const Time lately = net::boot_time() - Lately::span;
    for (const Warning& each : warned_)
        if (each.about > 2 && each.last >= lately)  // about another node
            findings.push_back(each.sentence);
    std::sort(findings.begin(), findings.end());
    findings.erase(std::unique(findings.begin(), findings.end()), findings.end());
    return findings;
}

// Whoever is silent here and heard elsewhere is up, and was asked from there, too: what it says
// does not arrive here. Who fell silent a moment ago may still be on the others' lists.
std::string Node::where_lost(const std::string& name, Duration silence) const {
    const Time lately = net::boot_time() - 2 * config_.detect;
    for (const Peer& peer : company_.peers()) {
        if (silence < 3 * config_.detect) break;
        const auto& hears = peer.said.hearing;
        const bool there = std::find(hears.begin(), hears.end(), name) != hears.end();
        if (there && peer.said.name != name && !peer.gone && peer.said_at > lately)
            return ", and '" + peer.said.name + "' hears it: the way from it to here is blocked";
    }
    return ": start it, or look at the network between";
}

void Node::examine_peer(const Peer& peer, std::vector<std::string>& findings) const {
    const Presence& said = peer.said;
    const std::string who =
        said.name.empty() ? "the node at " + net::text(peer.address) : "'" + said.name + "'";
    const Time now = net::boot_time();
    const bool asked = questioned_ != never && now - questioned_ > config_.answer();
    const bool unanswered = asked && peer.said_at < questioned_;
    const bool silent = peer.gone || now - peer.heard > 2 * config_.detect ||
                        (unanswered && peer.heard < questioned_);
    const bool member = host_ && peer.member != nobody;
    if (silent && member && (unanswered || host_->sight(peer.member).watched))
        findings.push_back(who + " has been silent for " +
                           std::to_string((now - peer.heard) / std::chrono::seconds(1)) + " s" +
                           where_lost(said.name, now - peer.heard));
    if (silent) return;
    if (unanswered)
        findings.push_back(who +
                           " is heard, but does not answer: the way from here to it is "
                           "blocked, or it is of an older version");
    if (said.name.empty()) return;
    const Duration lately = 3 * config_.detect;
    const bool met = now - peer.met > lately && now - peer.said_at < lately;
    const auto& hears = said.hearing;
    if (met && std::find(hears.begin(), hears.end(), config_.name) == hears.end())
        findings.push_back(who +
                           " is heard, but does not hear this node: the way from here to it "
                           "is blocked");
    const auto differ = [&](std::string_view what, const std::string& other,
                            const std::string& mine) {
        if (other != mine)
            findings.push_back(who + " has " + std::string(what) + " " + other + ", this node " +
                               mine + ": give all nodes the same");
    };
    differ("--detect", format_duration(said.promise), format_duration(config_.detect));
    differ("--heartbeat", format_duration(said.heartbeat), format_duration(config_.heartbeat));
    differ("--algorithm", said.algorithm, config_.algorithm);
    differ("--no-quorum", said.no_quorum ? "on" : "off", config_.no_quorum ? "on" : "off");
    differ("version", said.version, CONCLAVE_VERSION);
}

void Node::examine_traffic(std::vector<std::string>& findings) const {
    using wire::Drop;
    const PostCounts& counts = post_->counts();
    for (const Drop reason :
         {Drop::unsealed, Drop::keyed, Drop::other_key, Drop::forged, Drop::version})
        if (const std::uint64_t count = lately_.dropped(counts, reason); count != 0)
            findings.push_back(std::to_string(count) +
                               " datagrams were ignored in the last minute: each " +
                               refusal_remark(reason) + "; or somebody forges them");
    if (const std::uint64_t count = lately_.dropped(counts, Drop::twin); count != 0)
        findings.push_back(std::to_string(count) +
                           " datagrams with an identity that another node has were ignored in the "
                           "last minute: a state file was copied, or datagrams are replayed");
    if (const std::uint64_t unsent = lately_.unsent(counts); unsent != 0)
        findings.push_back(std::to_string(unsent) +
                           " datagrams could not be sent in the last minute: is a network "
                           "interface down, or does a "
                           "firewall refuse them?");
    if (config_.by_address()) return;
    const auto own = counts.dropped[static_cast<std::size_t>(Drop::self)];
    const std::string way = config_.broadcast ? "broadcast" : "multicast";
    constexpr std::uint64_t enough = 3;  // one may be on its way, or lost
    if (post_->paths().empty())
        findings.push_back(no_path_remark(config_.broadcast));
    else if (own == 0 && counts.sent >= enough)
        findings.push_back("this node's own " + way + " does not come back to it: " + way +
                           " is blocked here; open udp port " +
                           std::to_string(config_.meeting.port) +
                           (config_.broadcast ? "" : " to " + net::text(config_.meeting)) +
                           ", or name the members with addresses");
}

void Node::examine_timing(std::vector<std::string>& findings) const {
    if (config_.detect < least_detect(late_))
        findings.push_back("this machine rings its alarms up to " +
                           format_duration(rounded(late_)) + " late: give all nodes --detect " +
                           format_duration(least_detect(late_)) + " or more");
    if (work_->lateness() > work_->margin())
        findings.push_back("the timers that end the command rang " +
                           format_duration(rounded(work_->lateness())) +
                           " late, and the margin is " + format_duration(rounded(work_->margin())) +
                           ": two commands may overlap; give all nodes a longer --detect, or the "
                           "guardian real-time priority (LimitRTPRIO=99)");
}

Bound Node::bound() const {
    const std::uint32_t members = roster_.empty() ? config_.expect : roster_.size();
    std::string contain = work_->containment();
    if (contain == "none" && !config_.command.empty()) contain = "undecided";
    Bound bound = compute_bound(config_, members, contain);
    if (work_->margin() == Duration{}) return bound;
    bound.killed_ms = std::chrono::ceil<std::chrono::milliseconds>(work_->margin()).count();
    bound.assumed.push_back(
        "the timers that end the command ring less than " +
        format_duration(rounded(work_->margin())) +
        " late; the worst of late: " + format_duration(rounded(work_->lateness())));
    return bound;
}

}  // namespace conclave::agent
