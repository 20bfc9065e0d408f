#include "conclave/agent/group/whereabouts.hpp"

#include <algorithm>

#include "conclave/net/clock.hpp"

namespace conclave::agent {

Whereabouts::Whereabouts(Site& site)
    : site_(site),
      lookup_(site.loop, site.config.family(),
              [this](const std::string& host, std::optional<net::Address> address) {
                  note(host, address);
              }) {}

// As they were given here, or to the group when they came.
std::vector<NamedAddress> Whereabouts::others() const {
    std::vector<NamedAddress> all;
    const auto add = [&](const NamedAddress& member) {
        if (member.is_placed() && member.name != site_.config.name) all.push_back(member);
    };
    for (const NamedAddress& member : site_.config.members)
        if (site_.roster.empty() || site_.roster.id_of(member.name) != nobody) add(member);
    std::vector<std::string> entries{site_.newcomer};
    for (const lease::Title& title : site_.roster.stamped().titles) entries.push_back(title.entry);
    for (const std::string& entry : entries) {
        NamedAddress member;
        if (read_entry(entry, member).empty()) add(member);
    }
    return all;
}

void Whereabouts::look() {
    if (!site_.config.by_address()) return;
    look_up_silent();
    tell_post();
}

bool Whereabouts::is_silent(const NamedAddress& member) const {
    const Peer* peer = site_.peers.find(site_.roster.id_of(member.name));
    return peer == nullptr || peer->gone ||
           net::boot_time() - peer->heard > 2 * site_.config.detect;
}

// A name service is asked at most once a second, however short the heartbeat is.
void Whereabouts::look_up_silent() {
    constexpr Duration seldom = std::chrono::seconds(1);
    const Time now = net::boot_time();
    if (now - asked_ < seldom) return;
    for (const NamedAddress& member : others()) {
        if (member.host.empty()) continue;
        // Members that follow hear of each other seldom: one that is watched, or never was heard.
        const Id id = site_.roster.id_of(member.name);
        const bool awaited = !site_.host || id == nobody || site_.host->sight(id).suspected;
        if (!awaited && !is_silent(member)) continue;
        asked_ = now;
        lookup_.start(member.host);
    }
}

void Whereabouts::note(const std::string& host, std::optional<net::Address> address) {
    if (!address) {
        site_.warnings.once(Warnings::own, "host '" + host +
                                               "' of --members is not known to the name service: "
                                               "it is asked again");
        return;
    }
    const auto known = found_.find(host);
    if (known != found_.end() && known->second == *address) return;
    site_.log().info("host '" + host + "' is at " + net::text(*address));
    found_[host] = *address;
    tell_post();
}

void Whereabouts::tell_post() {
    std::vector<net::Address> each;
    const auto add = [&](const net::Address& address) {
        if (std::find(each.begin(), each.end(), address) == each.end()) each.push_back(address);
    };
    for (const NamedAddress& member : others()) {
        const auto found = found_.find(member.host);
        if (member.address) add(*member.address);
        if (!member.host.empty() && found != found_.end())
            add(found->second.with_port(member.port));
        const Peer* peer = site_.peers.find(site_.roster.id_of(member.name));
        if (peer != nullptr) add(peer->address);
    }
    if (each != site_.post->each()) site_.post->set_each(std::move(each));
}

}  // namespace conclave::agent
