#include "conclave/agent/report/doctor.hpp"

#include <algorithm>

#include "conclave/agent/group/refusals.hpp"
#include "conclave/agent/pace/jitter.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

std::vector<std::string> Doctor::examine(Duration patience) const {
    Findings findings;
    examine_group(questions_.answered(net::boot_time(), patience), findings);
    examine_node(findings);
    examine_traffic(findings);
    examine_timing(findings);
    std::sort(findings.begin(), findings.end());
    findings.erase(std::unique(findings.begin(), findings.end()), findings.end());
    return findings;
}

void Doctor::examine_group(Time asked, Findings& findings) const {
    if (!site_.host)
        findings.push_back(site_.config.observer
                               ? "no member of the group has been heard yet"
                               : "the group is still forming: " + node_.enrolment.remark());
    for (const Peer& peer : site_.peers.all()) examine_peer(peer, asked, findings);
    for (const Id id : site_.members())
        if (id != site_.me && site_.peers.find(id) == nullptr)
            findings.push_back(site_.quoted(id) + " was never heard" +
                               where_lost(site_.roster.name_of(id), site_.age()));
    for (const net::Address& each : site_.post->mute())
        findings.push_back("a node of this group at " + net::text(each) +
                           " is heard, but answers nothing: the way from here to it is blocked; "
                           "open udp port " +
                           std::to_string(each.port) + " there");
    if (site_.roster.size() == 2 && !site_.config.no_quorum)
        findings.push_back("two members tolerate no failure: add a third, or a --witness");
    if (const std::string change = pending_change(site_.roster); !change.empty())
        findings.push_back("a change of the members is not completed, which " + change +
                           ": a majority of the members, and of those before it, must be up");
    for (std::string& each : site_.warnings.about_peers(net::boot_time() - Lately::span))
        findings.push_back(std::move(each));
}

void Doctor::examine_node(Findings& findings) const {
    if (site_.host && site_.host->view().unsure)
        findings.push_back("this node " + std::string(unsure_remark));
    if (const std::string obstacle = node_.readiness.obstacle(); !obstacle.empty())
        findings.push_back("this node cannot lead: " + obstacle);
    if (const std::string unhealthy = node_.readiness.finding(); !unhealthy.empty())
        findings.push_back(unhealthy);
    if (site_.config.insecure && site_.config.key.empty())
        findings.push_back(
            "anybody on the network can take part (--insecure): make a key with conclave keygen "
            "FILE, and give every node --key FILE");
}

// A node that is silent here and heard elsewhere is up, and was asked from there, too: what it says
// does not arrive here. One that fell silent a moment ago may still be on the others' lists.
std::string Doctor::where_lost(const std::string& name, Duration silence) const {
    const Time lately = net::boot_time() - 2 * site_.config.detect;
    for (const Peer& peer : site_.peers.all()) {
        if (silence < 3 * site_.config.detect) break;
        const auto& hears = peer.said.hearing;
        const bool there = std::find(hears.begin(), hears.end(), name) != hears.end();
        if (there && peer.said.name != name && !peer.gone && peer.said_at > lately)
            return ", and '" + peer.said.name + "' hears it: the way from it to here is blocked";
    }
    return ": start it, or look at the network between";
}

void Doctor::examine_peer(const Peer& peer, Time asked, Findings& findings) const {
    const Config& config = site_.config;
    const Presence& said = peer.said;
    const std::string who =
        said.name.empty() ? "the node at " + net::text(peer.address) : "'" + said.name + "'";
    const Time now = net::boot_time();
    const bool unanswered = asked != never && peer.said_at < asked;
    const bool silent =
        peer.gone || now - peer.heard > 2 * config.detect || (unanswered && peer.heard < asked);
    const bool member = site_.host && peer.member != nobody;
    if (silent && member && (unanswered || site_.host->sight(peer.member).watched))
        findings.push_back(who + " has been silent for " +
                           std::to_string((now - peer.heard) / std::chrono::seconds(1)) + " s" +
                           where_lost(said.name, now - peer.heard));
    if (silent) return;
    if (unanswered)
        findings.push_back(who +
                           " is heard, but does not answer: the way from here to it is "
                           "blocked, or it is of an older version");
    if (said.name.empty()) return;
    const Duration lately = 3 * config.detect;
    const bool met = now - peer.met > lately && now - peer.said_at < lately;
    const auto& hears = said.hearing;
    if (met && std::find(hears.begin(), hears.end(), config.name) == hears.end())
        findings.push_back(who +
                           " is heard, but does not hear this node: the way from here to it "
                           "is blocked");
    compare(who, said, findings);
}

void Doctor::compare(const std::string& who, const Presence& said, Findings& findings) const {
    const Config& config = site_.config;
    const auto differ = [&](std::string_view what, const std::string& other,
                            const std::string& mine) {
        if (other != mine)
            findings.push_back(who + " has " + std::string(what) + " " + other + ", this node " +
                               mine + ": give all nodes the same");
    };
    if (!site_.roster.changed()) {  // else they are in the roster
        differ("--detect", format_duration(said.promise), format_duration(config.detect));
        differ("--heartbeat", format_duration(said.heartbeat), format_duration(config.heartbeat));
    }
    differ("--algorithm", said.algorithm, config.algorithm);
    differ("--no-quorum", said.no_quorum ? "on" : "off", config.no_quorum ? "on" : "off");
    differ("version", said.version, CONCLAVE_VERSION);
}

void Doctor::examine_traffic(Findings& findings) const {
    using wire::Drop;
    const Config& config = site_.config;
    const PostCounts& counts = site_.post->counts();
    for (const Drop reason :
         {Drop::unsealed, Drop::keyed, Drop::other_key, Drop::forged, Drop::version})
        if (const std::uint64_t count = lately_.dropped(counts, reason); count != 0)
            findings.push_back(std::to_string(count) +
                               " datagrams were ignored in the last minute: each " +
                               refusal_remark(config, reason) + "; or somebody forges them");
    if (const std::uint64_t count = lately_.dropped(counts, Drop::twin); count != 0)
        findings.push_back(std::to_string(count) +
                           " datagrams with an identity that another node has were ignored in the "
                           "last minute: a state file was copied, or datagrams are replayed");
    if (const std::uint64_t unsent = lately_.unsent(counts); unsent != 0)
        findings.push_back(std::to_string(unsent) +
                           " datagrams could not be sent in the last minute: is a network "
                           "interface down, or does a "
                           "firewall refuse them?");
    if (config.by_address()) return;
    const auto own = counts.dropped[static_cast<std::size_t>(Drop::self)];
    const std::string way = config.broadcast ? "broadcast" : "multicast";
    constexpr std::uint64_t enough = 3;  // one may be on its way, or lost
    if (site_.post->paths().empty())
        findings.push_back(no_path_remark(config.broadcast));
    else if (own == 0 && counts.sent >= enough)
        findings.push_back("this node's own " + way + " does not come back to it: " + way +
                           " is blocked here; open udp port " +
                           std::to_string(config.meeting.port) +
                           (config.broadcast ? "" : " to " + net::text(config.meeting)) +
                           ", or name the members with addresses");
}

void Doctor::examine_timing(Findings& findings) const {
    if (const std::string late = node_.lateness.finding(); !late.empty()) findings.push_back(late);
    const Work& work = node_.runner.work();
    if (work.lateness() > work.margin())
        findings.push_back("the timers that end the command rang " +
                           format_duration(rounded(work.lateness())) + " late, and the margin is " +
                           format_duration(rounded(work.margin())) +
                           ": two commands may overlap; give all nodes a longer --detect, or the "
                           "guardian real-time priority (LimitRTPRIO=99)");
}

}  // namespace conclave::agent
