#include "conclave/agent/group/talk.hpp"

#include <algorithm>

#include "conclave/member/stretch.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

bool names(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

// Observers are heard, too, and there may be any number of them.
std::vector<std::string> that_fit(std::vector<std::string> list) {
    while (size_on_wire(list) > Roster::bytes_most) list.pop_back();
    return list;
}

}  // namespace

Talk::Talk(Site& site, Enrolment& enrolment, Wishes& wishes, const StateKeeper& keeper,
           const Readiness& readiness, Publications& publications, Handlers handlers)
    : site_(site),
      enrolment_(enrolment),
      wishes_(wishes),
      keeper_(keeper),
      readiness_(readiness),
      publications_(publications),
      handlers_(std::move(handlers)) {}

// ---------------------------------------------------------------- from the post

void Talk::deliver(const Delivery& delivery) {
    const wire::Envelope& envelope = delivery.envelope;
    Peer& peer = site_.peers.hear(envelope.sender, delivery.from, net::boot_time());
    peer.waited = delivery.waited;
    peer.told_done = envelope.version >= 3;
    switch (envelope.kind) {
        case wire::Kind::algorithm: return hear_member(peer, body_of(envelope), false);
        case wire::Kind::death_notice: return hear_member(peer, body_of(envelope), true);
        case wire::Kind::greeting: return;
        case wire::Kind::agent: break;
    }
    const auto listen = [&](const auto& said) {
        makes_sense(said) ? hear(peer, said) : site_.post->count(wire::Drop::malformed);
    };
    if (const auto drop = wire::read_body(AgentMessages{}, body_of(envelope), listen))
        site_.post->count(*drop);
}

void Talk::hear_refused(wire::Drop reason, const net::Address& from) {
    refusals_.note(site_.config, site_.log(), reason, from);
}

// A node that waits for the name of a live member is told so, each time that the member has proved
// it: a datagram that comes late proves nothing.
void Talk::hear_proof(const Receiver& from, bool first) {
    const Time now = net::boot_time();
    const Peer& peer = site_.peers.hear(from.identity, from.address, now);
    if (first) show(&from);
    if (peer.member == nobody) return;
    for (const Peer* rival : site_.peers.rivals_of(peer, now - site_.config.detect))
        object(*rival, Objection::Why::name_taken,
               "another node bears the name '" + peer.said.name + "': give each node of group '" +
                   site_.config.group + "' its own with --name");
}

// A node without a memory may have been started with names that are not those of the group. Then
// its ids are others, too: it hears nobody before it was told who the members are.
bool Talk::is_understood(const Peer& peer) const {
    if (site_.roster.changed() || !site_.host->view().amnesiac) return true;
    return !peer.said.fixed || (!peer.said.changed && peer.said.roster == site_.roster.names());
}

// A death notice is sent for a node that is dead, by its guardian, when the command is gone.
void Talk::hear_member(Peer& peer, wire::Body message, bool is_death_notice) {
    if (!site_.host) return;
    if (peer.member == nobody)
        site_.peers.seat(peer, site_.roster, std::max(site_.config.detect, peer.said.promise));
    const Receiver sender = peer.receiver();
    if (peer.member == nobody || peer.member == site_.me) return show(&sender);
    if (!is_understood(peer)) return;
    // Its message is lost, and sent again: a loss harms nobody.
    const bool aware = member::may_promise(keeper_.done().kept, peer.told_done, peer.said.done);
    if (!is_death_notice && !aware) {
        site_.tell(&sender, Question{});
        return show(&sender);
    }
    const auto drop = is_death_notice ? site_.host->hear_death(peer.member, message)
                                      : site_.host->receive(peer.member, message);
    if (drop) site_.post->count(*drop);
}

// ---------------------------------------------------------------- what peers say

void Talk::hear(Peer& peer, const Presence& presence) {
    if (presence.name == site_.config.name) return hear_namesake(peer, presence);
    const Duration silence = std::max(site_.config.detect, presence.promise);
    const Peers::Seat seat = site_.peers.introduce(peer, presence, site_.roster, silence);
    if (seat == Peers::Seat::waiting)  // is the one that has the name alive?
        site_.post->probe(site_.peers.find(site_.roster.id_of(presence.name))->identity);
    peer.said_at = net::boot_time();
    handlers_.done(presence.done);
    introduce(peer, presence);
    compare_settings(peer, presence);
    follow_stretch(presence.promise);
    if (!site_.host) return enrolment_.hear(presence);
    tell_roster(peer, presence);
    if (peer.member != nobody) return site_.host->hear_present(peer.member, present_of(peer));
    if (!presence.observer && seat == Peers::Seat::taken) hear_stranger(peer, presence);
}

// Who waits to be a member, or was one, hears so from the leader: it knows what is decided.
void Talk::hear_stranger(Peer& peer, const Presence& presence) {
    const std::string who = "'" + presence.name + "'", group = "group '" + site_.config.group + "'";
    const bool leader = site_.leads() && site_.host->roster_done();
    if (presence.joins) {
        constexpr Duration patience = std::chrono::seconds(10);  // for an operator to name it
        const bool waited = net::boot_time() - peer.met > patience;
        if (leader && waited && !wishes_.expects(presence.name))
            object(peer, Objection::Why::unexpected,
                   who + " wants to join " + group + ", and nobody has said conclave members add " +
                       presence.name);
    } else if (!site_.roster.changed()) {
        object(peer, Objection::Why::no_member,
               group + " is complete with " + join(site_.roster.names()) + ", and " + who +
                   " is none of them: say conclave members add " + presence.name +
                   ", or take another --group");
    } else if (leader) {
        object(peer, Objection::Why::removed,
               who + " is no member of " + group + ": " + join(site_.roster.names()));
    }
}

// To whoever does not know who the members are, as they are on disk here.
void Talk::tell_roster(const Peer& peer, const Presence& presence) const {
    // The same names may have other ids, where they are not as the group was formed.
    const bool knows = presence.fixed && presence.changed == site_.roster.changed() &&
                       presence.roster == site_.roster.names();
    if (knows || site_.config.observer || site_.config.no_quorum) return;
    if (!site_.roster.changed() && !presence.joins) return;
    const lease::Roster& kept = keeper_.kept_roster();
    if (site_.roster.changed() && !kept.known()) return;
    const Receiver receiver = peer.receiver();
    site_.tell(&receiver, RosterNews{site_.seal, kept.known() ? kept : site_.host->roster()});
}

// This node formed the group, was down when it first changed, and is started with another --detect
// than then: that is why the seals differ.
bool Talk::was_of(const RosterNews& news) const {
    return site_.host && !site_.roster.changed() && news.roster.changed() &&
           news.seal != site_.seal && news.seal.digest == keeper_.state().roster.digest &&
           !site_.host->view().amnesiac && is_seated(site_.roster.stamped().members, site_.me) &&
           member::id_named(news.roster, site_.config.name) == site_.me;
}

void Talk::hear(Peer&, const RosterNews& news) {
    const Config& config = site_.config;
    if (config.no_quorum) return;
    enrolment_.hear(news);
    if (was_of(news)) handlers_.reseal(news.seal);
    if (site_.host && news.seal == site_.seal) site_.host->learn(news.roster);
}

// To a peer that does not hear this node yet, or has missed who leads: members tell each other.
void Talk::introduce(Peer& peer, const Presence& presence) {
    const auto& hears = presence.hearing;
    // A list that is full may have had no room for this node's name: to answer would not help.
    const bool full = size_on_wire(hears) + size_on_wire({site_.config.name}) > Roster::bytes_most;
    const bool known = full || names(hears, site_.config.name);
    const bool lost = peer.member == nobody && presence.leader.empty() && site_.leader() != nobody;
    const Receiver sender = peer.receiver();
    if (!known || lost) show(&sender);
}

// Statements that were queued while this process was paused are stale.
member::Present Talk::present_of(const Peer& peer) const {
    const Presence& said = peer.said;
    return {{said.priority, said.witness, said.healthy, said.paused},
            site_.roster.id_of(said.leader),
            peer.waited > site_.config.answer()};
}

void Talk::hear_namesake(const Peer& peer, const Presence& presence) {
    const std::string name = "'" + site_.config.name + "'";
    site_.warnings.once(peer.identity, "a node at " + net::text(peer.address) + " bears the name " +
                                           name + ", too: give each node its own with --name");
    if (member::was_first({site_.age(), site_.identity}, {presence.uptime, peer.identity}))
        object(peer, Objection::Why::name_taken,
               "this node has the name " + name + ": give that one another with --name");
}

void Talk::object(const Peer& peer, Objection::Why why, const std::string& sentence) {
    const Receiver receiver = peer.receiver();
    site_.warnings.once(peer.identity,
                        "refused a node at " + net::text(peer.address) + ": " + sentence);
    site_.tell(&receiver, Objection{why});
}

void Talk::hear(Peer& peer, const Objection& objection) {
    using Why = Objection::Why;
    const bool listed = site_.roster.id_of(site_.config.name) != nobody;
    if (objection.why == Why::removed) {
        if (site_.roster.changed() && !listed && !site_.config.observer) handlers_.removed();
        return;
    }
    if (objection.why == Why::unexpected) {
        const std::string sentence = "group '" + site_.config.group + "' does not expect '" +
                                     site_.config.name + "': say conclave members add " +
                                     site_.config.name + " on one of its members";
        site_.warnings.once(Warnings::group, sentence);
        if (!listed) enrolment_.object(exit_code::refused, sentence);
        return;
    }
    const bool taken = objection.why == Objection::Why::name_taken;
    const std::string name = "'" + site_.config.name + "'",
                      group = "group '" + site_.config.group + "'";
    const std::string sentence =
        taken ? "the name " + name + " is taken by another node of " + group +
                    ", which is alive: give this one another with --name"
              : group + " is complete, and " + name +
                    " is none of its members: say conclave members add " + site_.config.name +
                    " on one of them and start this node with --join, or take another --group";
    site_.warnings.once(peer.identity, net::text(peer.address) + " objects: " + sentence);
    enrolment_.object(taken ? exit_code::name_taken : exit_code::refused, sentence);
}

void Talk::hear(Peer& peer, const Leaving&) {
    if (site_.host && peer.member != nobody) site_.host->hear_leaving(peer.member);
}

// Members that follow say nothing to each other unasked, and a question may be lost on its way. So
// it is passed on: a node that can be reached from anywhere tells everybody who it is.
void Talk::hear(Peer& peer, const Question&) {
    const Receiver from = peer.receiver();
    show(&from);
    if (peer.member != nobody && roll_calls_.allow(net::boot_time()))
        site_.tell(nullptr, RollCall{});
}

void Talk::hear(Peer&, const RollCall&) {
    if (roll_answers_.allow(net::boot_time())) show(nullptr);
}

void Talk::hear(Peer& peer, const Publication& said) {
    if (peer.member == nobody || peer.member == site_.me || !publications_.hear(said)) return;
    site_.changed();
}

void Talk::compare_settings(const Peer& peer, const Presence& presence) {
    const auto differ = [&](std::string_view what, const std::string& mine,
                            const std::string& other) {
        if (mine != other)
            site_.warnings.once(peer.identity,
                                "'" + presence.name + "' has " + std::string(what) + " " + other +
                                    ", this node " + mine +
                                    ": they promise each other nothing; give all nodes the same");
    };
    const Config& config = site_.config;
    // Those of a group that changed are in its roster, whatever its nodes were started with.
    if (!site_.roster.changed() && !presence.changed && !presence.joins)
        differ("--detect", format_duration(config.detect), format_duration(presence.promise));
    differ("--algorithm", config.algorithm, presence.algorithm);
    differ("--no-quorum", config.no_quorum ? "on" : "off", presence.no_quorum ? "on" : "off");
}

void Talk::follow_stretch(Duration detect) {
    const bool longer = member::is_stretched(detect, site_.config.detect) && detect > longer_;
    if (!site_.config.stretch || !longer || site_.roster.changed()) return;
    longer_ = detect;
    site_.log().notice("starts again with --detect " + format_duration(detect) +
                       ", as another node does");
    handlers_.leave();
}

// ---------------------------------------------------------------- about this node

void Talk::show(Id to) const {
    if (to == everyone) return show(nullptr);
    const Peer* peer = site_.peers.find(to);
    if (peer == nullptr) return;
    const Receiver receiver = peer->receiver();
    show(&receiver);
}

void Talk::show(const Receiver* to) const {
    site_.tell(to, presence());
    tell_published(to);
}

void Talk::tell_published(const Receiver* to) const {
    if (!publications_.any() || !site_.leads()) return;
    site_.tell(to, publications_.under(member::leading_token(site_.host->view(), site_.me)));
}

void Talk::ask() const {
    site_.tell(nullptr, Question{});
    for (const Peer& peer : site_.peers.all()) {
        const Receiver receiver = peer.receiver();
        site_.tell(&receiver, Question{});
    }
}

void Talk::beat() {
    if (!site_.host || tellings_ > 0 || !site_.is_member()) show(nullptr);
    tellings_ = std::max(0, tellings_ - 1);
    tell_published(nullptr);  // again and again: a datagram may be lost
    if (!site_.host || !site_.host->view().settled) tell_awaited();
    if (site_.config.observer) {
        if (site_.config.by_address()) ask();  // nobody calls on it
        return;
    }
    // A record of a command is told until every member that is there has said that it knows.
    const auto unaware = [&](const Peer& peer) {
        return peer.member != nobody && !peer.gone && peer.told_done && !peer.said.name.empty() &&
               keeper_.done().is_news_to(peer.said.done);
    };
    const auto& peers = site_.peers.all();
    if (std::any_of(peers.begin(), peers.end(), unaware)) show(nullptr);
}

// A new group elects nobody before all have been there, which looks like a fault.
void Talk::tell_awaited() {
    const bool waits = site_.host && !site_.config.observer && site_.host->view().amnesiac;
    if (!waits || site_.age() < 2 * site_.config.detect) return;
    std::vector<std::string> missing;
    for (const Id id : site_.members())
        if (id != site_.me && site_.host->sight(id).suspected)
            missing.push_back(site_.roster.name_of(id));
    if (!missing.empty())
        site_.warnings.once(Warnings::own,
                            "waits for " + join(missing) +
                                ": this node has no memory, as in a new group, and promises "
                                "nothing before every other member has been up with it");
}

Presence Talk::presence() const {
    const Config& config = site_.config;
    Presence presence{.name = config.name, .version = CONCLAVE_VERSION};
    presence.algorithm = config.algorithm;
    presence.priority = config.priority;
    presence.witness = config.witness;
    presence.observer = config.observer;
    presence.no_quorum = config.no_quorum;
    presence.healthy =
        site_.host ? site_.host->view().healthy : readiness_.healthy() && readiness_.able();
    presence.paused = readiness_.paused();
    presence.promise = config.detect;
    presence.heartbeat = config.heartbeat;
    presence.fixed = !site_.roster.empty();
    presence.roster =
        site_.roster.empty() ? that_fit(enrolment_.statement()) : site_.roster.names();
    const Time now = net::boot_time();
    presence.hearing = that_fit(site_.peers.names_heard(now - 2 * config.detect));
    presence.leader = site_.leader_name();
    presence.uptime = site_.age();
    presence.done = keeper_.done().kept;
    presence.joins = site_.host ? site_.joins() : config.join;
    presence.changed = site_.roster.changed();
    return presence;
}

}  // namespace conclave::agent
