// What the other nodes say, and what this one says about itself.
#include <algorithm>

#include "conclave/agent/node.hpp"
#include "conclave/agent/own_key.hpp"
#include "conclave/agent/stretch.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

void Node::deliver(const Delivery& delivery) {
    const wire::Envelope& envelope = delivery.envelope;
    Peer& peer = company_.hear(envelope.sender, delivery.from, net::boot_time());
    peer.waited = delivery.waited;
    peer.told_done = envelope.version >= 3;
    switch (envelope.kind) {
        case wire::Kind::algorithm: return hear_algorithm(peer, body_of(envelope), false);
        case wire::Kind::farewell: return hear_algorithm(peer, body_of(envelope), true);
        case wire::Kind::greeting: return;
        case wire::Kind::agent: break;
    }
    const auto listen = [&](const auto& said) {
        makes_sense(said) ? hear(peer, said) : post_->count(wire::Drop::malformed);
    };
    if (const auto drop = wire::read_body(AgentMessages{}, body_of(envelope), listen))
        post_->count(*drop);
}

// Why a datagram could not be opened, and the likely cause; empty: not worth a log line.
// None of it is proved, so it blames no member.
std::string Node::refusal_remark(wire::Drop reason) const {
    using wire::Drop;
    const std::string claim = "claims to be of this group and is ",
                      remedy = "; give every node of the group the same --key FILE";
    const bool other = reason == Drop::unsealed || reason == Drop::other_key;
    if (other && uses_own_key(config_))
        return claim + "not sealed with this user's key: perhaps another user runs group '" +
               config_.group + "' on this machine" + remedy;
    switch (reason) {
        case Drop::unsealed: return claim + "not sealed: perhaps a node without --key" + remedy;
        case Drop::other_key:
            return claim + "sealed with another key: perhaps a node with another --key" + remedy;
        case Drop::keyed:
            return claim + "sealed, and this node has no key: perhaps a node with --key" + remedy;
        case Drop::forged: return claim + "wrongly sealed: damaged on the way";
        case Drop::version:
            return "claims a version that is not spoken here: perhaps a node to be "
                   "upgraded";
        default: return {};
    }
}

// At once, for whoever waits for the others; but not at the pace of somebody who forges them.
void Node::hear_refused(wire::Drop reason, const net::Address& from) {
    Time& told = refusal_told_[static_cast<std::size_t>(reason)];
    const Time now = net::boot_time();
    if (told != Time{} && now - told < Lately::span) return;
    const std::string remark = refusal_remark(reason);
    if (remark.empty()) return;
    told = now;
    log_.warn("ignored a datagram from " + net::text(from) + ": it " + remark +
              "; or somebody forges them");
}

// Whoever waits for the name of a member that is alive is told so, each time that the member has
// proved it: a datagram that comes late proves nothing.
void Node::hear_proof(const Receiver& from, bool first) {
    const Time now = net::boot_time();
    const Peer& peer = company_.hear(from.identity, from.address, now);
    if (first) show(&from);
    if (peer.member == nobody) return;
    for (const Peer* rival : company_.rivals_of(peer, now - config_.detect))
        object(*rival, Objection::Why::name_taken,
               "another node bears the name '" + peer.said.name + "': give each node of group '" +
                   config_.group + "' its own with --name");
}

// A farewell is said for a node that is dead, by its guardian, when the work is gone.
void Node::hear_algorithm(Peer& peer, wire::Body message, bool farewell) {
    if (!host_) return;
    if (peer.member == nobody)
        company_.seat(peer, roster_, std::max(config_.detect, peer.said.promise));
    if (peer.member == nobody || peer.member == me_) {
        const Receiver stranger = peer.receiver();
        return show(&stranger);
    }
    // What it asked is lost, and asked again: a loss harms nobody.
    if (!farewell && !may_promise(peer)) {
        const Receiver unaware = peer.receiver();
        post_->send(unaware, wire::Kind::agent, bytes_of(Question{}));
        return show(&unaware);
    }
    const auto drop =
        farewell ? host_->hear_death(peer.member, message) : host_->receive(peer.member, message);
    if (drop) post_->count(*drop);
}

// Statements that were queued while this process was paused are stale.
member::Present Node::present_of(const Peer& peer) const {
    const Presence& said = peer.said;
    return {{said.priority, said.witness, said.healthy, said.paused},
            roster_.id_of(said.leader),
            peer.waited > config_.answer()};
}

void Node::hear(Peer& peer, const Presence& presence) {
    if (presence.name == config_.name) return hear_namesake(peer, presence);
    const Duration silence = std::max(config_.detect, presence.promise);
    const Company::Seat seat = company_.introduce(peer, presence, roster_, silence);
    if (seat == Company::Seat::waiting)  // is the one that has the name alive?
        post_->probe(company_.find(roster_.id_of(presence.name))->identity);
    peer.said_at = net::boot_time();
    learn_done(presence.done);
    const auto& hears = presence.hearing;
    // A list that is full may have had no room for this node's name: to answer would not help.
    const bool full = size_on_wire(hears) + size_on_wire({config_.name}) > Roster::bytes_most;
    const bool known = full || std::find(hears.begin(), hears.end(), config_.name) != hears.end();
    // Members tell each other who leads; one that is none has missed it.
    const bool lost = peer.member == nobody && presence.leader.empty() && leader() != nobody;
    const Receiver sender = peer.receiver();
    if (!known || lost) show(&sender);
    compare_settings(peer, presence);
    follow_stretch(presence.promise);
    if (roster_.empty() && config_.observer) adopt_roster(presence);
    if (roster_.empty()) {
        if (config_.observer) return;
        if (!presence.observer) formation_.hear(presence.name, presence.roster, presence.fixed);
        return try_forming();
    }
    if (peer.member == nobody && !presence.observer && seat == Company::Seat::taken)
        return object(peer, Objection::Why::no_member,
                      "group '" + config_.group + "' is complete with " + join(roster_.names()) +
                          ", and '" + presence.name + "' is none of them: take another --group");
    if (peer.member != nobody) host_->hear_present(peer.member, present_of(peer));
}

// The one that was here first stays.
void Node::hear_namesake(const Peer& peer, const Presence& presence) {
    const Duration age = net::boot_time() - born_;
    const bool first = age != presence.uptime ? age > presence.uptime : state_.id > peer.identity;
    const std::string sentence = "a node at " + net::text(peer.address) + " bears the name '" +
                                 config_.name + "', too: give each node its own with --name";
    warn_once(peer.identity, sentence);
    if (first)
        object(peer, Objection::Why::name_taken,
               "this node has the name '" + config_.name + "': give that one another with --name");
}

void Node::object(const Peer& peer, Objection::Why why, const std::string& sentence) {
    warn_once(peer.identity, "refused a node at " + net::text(peer.address) + ": " + sentence);
    post_->send(peer.receiver(), wire::Kind::agent, bytes_of(Objection{why}));
}

// Only a newcomer gives way: a node that is at work goes on. And it does so only when the objection
// is repeated for as long as it takes to detect a silent node: its own former life, heard late, is
// no reason to end.
void Node::hear(Peer& peer, const Objection& objection) {
    const bool taken = objection.why == Objection::Why::name_taken;
    const std::string sentence =
        taken ? "the name '" + config_.name + "' is taken by another node of group '" +
                    config_.group + "', which is alive: give this one another with --name"
              : "group '" + config_.group + "' is complete, and '" + config_.name +
                    "' is none of its members: take another --group";
    warn_once(peer.identity, net::text(peer.address) + " objects: " + sentence);
    if (insisted()) end(taken ? exit_code::name_taken : exit_code::refused, sentence);
}

bool Node::insisted() {
    const Time now = net::boot_time();
    if (now - insistence_.last > config_.detect)
        insistence_ = {now, now, roster_.empty() || now - born_ < 5 * config_.detect};
    insistence_.last = now;
    tellings_ = std::max(tellings_, 2);  // repeat, so that an objection can be repeated
    beat_.set_earlier(now + config_.heartbeat);
    return insistence_.newcomer && now - insistence_.first >= config_.detect;
}

void Node::hear(Peer& peer, const Leaving&) {
    if (host_ && peer.member != nobody) host_->hear_leaving(peer.member);
}

void Node::try_forming() {
    if (host_ || roster_store_ != 0) return;  // the roster is fixed, or the disk has the next word
    if (const Obstacle obstacle = obstacle_of(formation_, config_.group);
        !obstacle.sentence.empty()) {
        warn_once(2, obstacle.sentence);
        if (obstacle.final && insisted()) end(exit_code::refused, obstacle.sentence);
        return;
    }
    switch (formation_.next()) {
        case Formation::Next::keep: return store_roster(0, formation_.known);
        case Formation::Next::fix: return fix_roster(Roster(formation_.roster()));
        case Formation::Next::wait: return;
    }
}

void Node::compare_settings(const Peer& peer, const Presence& presence) {
    const auto differ = [&](std::string_view what, const std::string& mine,
                            const std::string& other) {
        if (mine != other)
            warn_once(peer.identity,
                      "'" + presence.name + "' has " + std::string(what) + " " + other +
                          ", this node " + mine +
                          ": they promise each other nothing; give all nodes the same");
    };
    differ("--detect", format_duration(config_.detect), format_duration(presence.promise));
    differ("--algorithm", config_.algorithm, presence.algorithm);
    differ("--no-quorum", config_.no_quorum ? "on" : "off", presence.no_quorum ? "on" : "off");
}

// All must have the same times, so the slowest machine sets them: see stretch.hpp.
void Node::follow_stretch(Duration detect) {
    if (!config_.stretch || !is_stretched(detect, config_.detect) || detect <= longer_) return;
    longer_ = detect;
    log_.notice("starts again with --detect " + format_duration(detect) + ", as another node does");
    leave();
}

void Node::show(Id to) {
    if (to == everyone) return show(nullptr);
    const Peer* peer = company_.find(to);
    if (peer == nullptr) return;
    const Receiver receiver = peer->receiver();
    show(&receiver);
}

// To everybody, or to one who does not know this node yet.
void Node::show(const Receiver* to) {
    const Bytes bytes = bytes_of(presence());
    if (to != nullptr)
        post_->send(*to, wire::Kind::agent, bytes);
    else
        post_->send_all(wire::Kind::agent, bytes);
}

// Observers are heard, too, and there may be any number of them.
static std::vector<std::string> that_fit(std::vector<std::string> names) {
    while (size_on_wire(names) > Roster::bytes_most) names.pop_back();
    return names;
}

Presence Node::presence() const {
    Presence presence{.name = config_.name, .version = CONCLAVE_VERSION};
    presence.algorithm = config_.algorithm;
    presence.priority = config_.priority;
    presence.witness = config_.witness;
    presence.observer = config_.observer;
    presence.no_quorum = config_.no_quorum;
    presence.healthy = host_ ? host_->view().healthy : fitness_.healthy && obstacle_.empty();
    presence.paused = fitness_.paused;
    presence.promise = config_.detect;
    presence.heartbeat = config_.heartbeat;
    presence.fixed = !roster_.empty();
    presence.roster = roster_.empty() ? that_fit(formation_.statement()) : roster_.names();
    const Time now = net::boot_time();
    presence.hearing = that_fit(company_.names_heard(now - 2 * config_.detect));
    presence.leader = leader_name();
    presence.uptime = now - born_;
    presence.done = done_.kept;
    return presence;
}

// The members have agreed long ago, or do so now: what they say is taken as it is.
void Node::adopt_roster(const Presence& presence) {
    if (!presence.fixed || presence.observer) return;
    const auto& names = presence.roster;
    std::string obstacle;
    if (config_.expect != 0 && names.size() != config_.expect)
        obstacle = "group '" + config_.group + "' has " + std::to_string(names.size()) +
                   " members: --expect cannot be " + std::to_string(config_.expect);
    else if (std::find(names.begin(), names.end(), config_.name) != names.end())
        obstacle = "'" + config_.name + "' is a member of group '" + config_.group +
                   "', and --observer is none: give it another --name";
    if (!obstacle.empty()) {
        if (insisted()) end(exit_code::refused, obstacle);
        return;
    }
    if (roster_store_ == 0) fix_roster(Roster(names));
}

}  // namespace conclave::agent
