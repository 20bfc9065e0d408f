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
    switch (envelope.kind) {
        case wire::Kind::algorithm: return hear_algorithm(peer, envelope.body, false);
        case wire::Kind::farewell: return hear_algorithm(peer, envelope.body, true);
        case wire::Kind::greeting: return;
        case wire::Kind::agent: break;
    }
    const auto message = decode_all<AgentMessage>(envelope.body);
    if (!message || !makes_sense(*message)) return post_->refuse_delivered();
    std::visit([&](const auto& said) { hear(peer, said); }, *message);
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

// A farewell is said for a node that is dead, by its guardian, when the work is gone. Its heir need
// not wait for anything.
void Node::hear_algorithm(Peer& peer, Input message, bool farewell) {
    if (!host_) return;
    if (peer.member == nobody)
        company_.seat(peer, roster_, std::max(config_.detect, peer.said.promise));
    if (peer.member == nobody || peer.member == me_) {
        const Receiver stranger = peer.receiver();
        return show(&stranger);
    }
    const Id from = peer.member;
    if (!farewell) hear_member(from);
    if (farewell && from == leader_) cause_ = "'" + roster_.name_of(from) + "' died";
    const bool led = from == leader_;
    const Host::Heard heard = host_->receive(from, message);
    if (!heard.understood) return post_->refuse_delivered();
    if (heard.held.stands()) note_held(from, heard.held);
    if (heard.release && from == leader_ && !farewell) set_leader(nobody);
    if (farewell) lose_member(from, "died");
    if (heard.release && led && leader_ == nobody) wait_for_successor(heard.heir);
    if (heard.release && heard.heir == me_) call_election();
}

// Whom the last leader named stands at once. The others keep still for a heartbeat, and say nothing
// meanwhile: what they would say is out of date when it arrives.
void Node::wait_for_successor(Id successor) {
    const bool alive = successor != nobody && !detector_.suspects(successor);
    const bool comes = successor == me_ || alive;
    successor_until_ = net::boot_time() + (comes ? config_.heartbeat : Duration{0});
    if (comes) beat_.set(successor_until_);
    schedule_call(comes ? config_.heartbeat : Duration{0});
}

void Node::hear(Peer& peer, const Presence& presence) {
    if (presence.name == config_.name) return hear_namesake(peer, presence);
    const Duration silence = std::max(config_.detect, presence.promise);
    const Company::Seat seat = company_.introduce(peer, presence, roster_, silence);
    if (seat == Company::Seat::waiting)  // is the one that has the name alive?
        post_->probe(company_.find(roster_.id_of(presence.name))->identity);
    peer.said_at = net::boot_time();
    const auto& hears = presence.hearing;
    // A list that is full may have had no room for this node's name: to answer would not help.
    const bool full = size_on_wire(hears) + size_on_wire({config_.name}) > Roster::bytes_most;
    const bool known = full || std::find(hears.begin(), hears.end(), config_.name) != hears.end();
    // It missed that there is a leader, unless that is new: then the leader itself tells it.
    const bool lost = presence.leader.empty() && leader_ != nobody &&
                      net::boot_time() - followed_since_ > config_.heartbeat;
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
    if (peer.member == nobody) return;
    set_ranks();
    hear_member(peer.member);
    // Of a former life, whose release came before this one had proved itself, or was lost.
    if (leader_ != me_ && presence.leader == config_.name && former_gone())
        host_->disown(peer.member);
    if (config_.observer) return observe(peer.member, roster_.id_of(presence.leader));
    if (leader_ != nobody) return;
    // What waited while this node was stopped no longer counts.
    if (peer.waited > config_.answer() || net::boot_time() < modest_until_) return;
    const bool before = standing_.allowed;
    standing_.hear(peer.member, roster_.id_of(presence.leader));
    if (!before && standing_.allowed) queue_up();
    if (const Id leader = standing_.agreed(); leader != nobody && leader != me_) fall_in(leader);
    judge_standing();
}

// A majority follows this leader: who stands beside it stands in vain.
void Node::fall_in(Id leader) {
    const LeaseView view = host_->view();
    if (view.acting || work_->phase() != "none") return;
    if (view.ballot.stands()) host_->resign(nobody);
    set_leader(leader);
    hearsay_ = true;
    judge_standing();
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
    Bytes bytes;
    encode(AgentMessage{Objection{why}}, bytes);
    post_->send(peer.receiver(), wire::Kind::agent, bytes);
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
    if (host_ && peer.member != nobody) lose_member(peer.member, "has left");
}

void Node::try_forming() {
    if (const auto obstacle = formation_.obstacle()) {
        warn_once(2, obstacle->sentence);
        if (obstacle->final && insisted()) end(exit_code::refused, obstacle->sentence);
        return;
    }
    if (formation_.complete() && state_.roster.members.empty() &&
        !store_roster(0, formation_.known()))  // before anybody hears it from this node
        return;
    if (const auto roster = formation_.result()) {
        begin_election(*roster, true);
        show(nullptr);
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

// To everybody, or to one who does not know this node yet.
void Node::show(const Receiver* to) {
    Bytes bytes;
    encode(AgentMessage{presence()}, bytes);
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
    presence.healthy = fitness_.healthy && obstacle_.empty();
    presence.paused = fitness_.paused;
    presence.promise = config_.detect;
    presence.heartbeat = config_.heartbeat;
    presence.fixed = !roster_.empty();
    presence.roster = roster_.empty() ? that_fit(formation_.known()) : roster_.names();
    const Time now = net::boot_time();
    presence.hearing = that_fit(company_.names_heard(now - 2 * config_.detect));
    presence.leader = leader_name();
    presence.uptime = now - born_;
    return presence;
}

void Node::set_ranks() {
    if (!host_) return;
    for (const Id id : members()) host_->set_rank(id, rank_of(id));
}

// <eligible, incumbent, priority, id>
Rank Node::rank_of(Id member) const {
    const bool incumbent = member == leader_ && !config_.preempt;
    if (member == me_) return make_rank(fit(), incumbent, config_.priority, member);
    const Peer* peer = company_.find(member);
    if (peer == nullptr) return make_rank(true, incumbent, 0, member);
    const Presence& said = peer->said;
    return make_rank(said.healthy && !said.paused && !said.witness, incumbent, said.priority,
                     member);
}

}  // namespace conclave::agent
