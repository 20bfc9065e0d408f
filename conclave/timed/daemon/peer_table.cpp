#include "conclave/timed/daemon/peer_table.hpp"

#include <algorithm>

#include "conclave/wire/group_key.hpp"

namespace conclave::timed {

Id id_of(const std::string& name) {
    const auto id = static_cast<std::uint32_t>(wire::digest_of(name));
    return id == 0 || Id{id} == everyone ? Id{1} : Id{id};
}

Company::Met Company::meet(const std::string& name, const net::Address& from, Time now) {
    const Id id = id_of(name);
    const auto known = peers_.find(id);
    if (known != peers_.end()) {
        Peer& peer = known->second;
        if (peer.name != name) return {nullptr, Refusal::clash};
        if (peer.address.bytes != from.bytes && now - peer.heard < silence_)
            return {nullptr, Refusal::address};
        peer.address = from;
        peer.heard = now;
        return {&peer};
    }
    if (peers_.size() >= most) {
        const auto oldest = std::min_element(
            peers_.begin(), peers_.end(),
            [](const auto& a, const auto& b) { return a.second.heard < b.second.heard; });
        if (now - oldest->second.heard < silence_) return {nullptr, Refusal::crowded};
        peers_.erase(oldest);
    }
    Peer& peer = peers_[id];
    peer.name = name;
    peer.id = id;
    peer.address = from;
    peer.heard = now;
    return {&peer};
}

Peer* Company::find(Id id) {
    const auto at = peers_.find(id);
    return at == peers_.end() ? nullptr : &at->second;
}
const Peer* Company::find(Id id) const {
    const auto at = peers_.find(id);
    return at == peers_.end() ? nullptr : &at->second;
}

std::string Company::name_of(Id id) const {
    const Peer* peer = find(id);
    return peer == nullptr ? "" : peer->name;
}

}  // namespace conclave::timed
