#include "conclave/agent/group/peers.hpp"

#include <algorithm>

namespace conclave::agent {

Peer& Peers::hear(std::uint64_t identity, const net::Address& from, Time now) {
    auto at = std::find_if(peers_.begin(), peers_.end(),
                           [&](const Peer& peer) { return peer.identity == identity; });
    if (at == peers_.end()) {
        if (peers_.size() >= most)  // who has no place in the roster and is silent longest goes
            peers_.erase(std::min_element(peers_.begin(), peers_.end(), [](auto& a, auto& b) {
                const bool a_sits = a.member != nobody, b_sits = b.member != nobody;
                return a_sits != b_sits ? b_sits : a.heard < b.heard;
            }));
        at = peers_.insert(peers_.end(), Peer{.identity = identity, .met = now});
    }
    at->address = from;
    at->heard = now;
    at->gone = false;
    return *at;
}

Peers::Seat Peers::introduce(Peer& peer, const Presence& presence, const Roster& roster,
                             Duration silence) {
    peer.said = presence;
    return seat(peer, roster, silence);
}

Peers::Seat Peers::seat(Peer& peer, const Roster& roster, Duration silence) {
    const Id member = peer.said.observer ? nobody : roster.id_of(peer.said.name);
    if (member == nobody && peer.said.joins) return Seat::taken;  // see seat_newcomer()
    if (Peer* seated = find(member); seated != nullptr && seated != &peer) {
        if (!seated->gone && peer.heard - seated->heard < silence) return Seat::waiting;
        seated->member = nobody;
    }
    peer.member = member;
    return Seat::taken;
}

std::vector<const Peer*> Peers::rivals_of(const Peer& peer, Time since) const {
    std::vector<const Peer*> rivals;
    for (const Peer& other : peers_)
        if (&other != &peer && other.member == nobody && !other.said.observer && !other.gone &&
            other.heard >= since && other.said.name == peer.said.name)
            rivals.push_back(&other);
    return rivals;
}

void Peers::vacate(Id member) {
    if (Peer* peer = find(member)) peer->gone = true;
}

void Peers::seat_newcomer(const std::string& name, Id id) {
    for (Peer& peer : peers_)
        if (peer.said.joins && peer.said.name == name && peer.member == nobody &&
            find(id) == nullptr)
            peer.member = id;
}

void Peers::seat(const Roster& roster) {
    for (Peer& peer : peers_)
        if (peer.member != nobody && roster.id_of(peer.said.name) != peer.member)
            peer.member = nobody;
    for (Peer& peer : peers_)
        if (!peer.said.name.empty() && !peer.said.observer &&
            find(roster.id_of(peer.said.name)) == nullptr)
            peer.member = roster.id_of(peer.said.name);
}

Peer* Peers::find(Id member) {
    const auto at = std::find_if(peers_.begin(), peers_.end(),
                                 [&](const Peer& peer) { return peer.member == member; });
    return member == nobody || at == peers_.end() ? nullptr : &*at;
}

const Peer* Peers::find(Id member) const { return const_cast<Peers*>(this)->find(member); }

std::vector<std::string> Peers::names_heard(Time since) const {
    std::vector<std::string> names;
    for (const Peer& peer : peers_)
        if (!peer.gone && peer.heard >= since && !peer.said.name.empty())
            names.push_back(peer.said.name);
    return names;
}

}  // namespace conclave::agent
