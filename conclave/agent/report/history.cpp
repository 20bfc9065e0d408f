#include "conclave/agent/report/history.hpp"

#include <algorithm>

#include "conclave/net/clock.hpp"

namespace conclave::agent {

void History::note(const member::Change& change) {
    const Time now = net::boot_time();
    terms_.note(change, now, net::unix_time());
    const Peer* former = site_.peers.find(change.former);
    failovers_.note(change, former == nullptr ? now : former->heard, now);
    const net::Log& log = site_.log();
    if (change.leader == site_.me)
        log.notice("leads");
    else if (change.leader != nobody)
        log.notice("follows " + site_.quoted(change.leader));
    else
        log.notice(change.former == site_.me ? "no longer leads" : "there is no leader");
    site_.changed();
}

void History::look() {
    const Time now = net::boot_time();
    const auto heard = [&](Id id) {
        const Peer* peer = site_.peers.find(id);
        return id == site_.me || (peer != nullptr && peer->heard >= now - site_.config.detect);
    };
    const std::vector<Id> members = site_.members();
    const auto count = std::count_if(members.begin(), members.end(), heard);
    failovers_.look(now, site_.config.detect, 2 * static_cast<std::size_t>(count) > members.size());
}

void History::note(const member::Sighting& sighting) {
    using member::Cause;
    const std::string name = site_.quoted(sighting.who);
    if (!sighting.back)
        return site_.log().info(name + (sighting.how == Cause::left   ? " has left"
                                        : sighting.how == Cause::died ? " died"
                                                                      : " is silent"));
    // It was cut off: whatever it believed meanwhile, this node leads.
    if (!site_.leads()) return;
    ++terms_.merges;
    site_.log().info(name + " is back");
    site_.changed();
}

// How the term of `change.former` ended, for people. Nobody's needs no reason to end.
std::string History::end_of_term(const member::Change& change) const {
    using member::Cause;
    if (change.former == nobody) return {};
    const std::string name = site_.quoted(change.former);
    switch (change.cause) {
        case Cause::silent: return name + " is silent";
        case Cause::left: return name + " has left";
        case Cause::died: return name + " died";
        case Cause::unhealthy: return name + " is unhealthy";
        case Cause::parts_met: return "two parts met again";
        case Cause::expired: return "the lease of " + name + " ended: no majority renewed it";
        case Cause::released:
        case Cause::unknown: break;
    }
    return change.leader != nobody ? site_.quoted(change.leader) + " took over"
                                   : name + " gave the lease back";
}

// The end of the last term is how the next one came about.
std::string History::reason(const member::Change& before) const {
    return before.former == nobody ? "elected" : end_of_term(before);
}

void History::show(LeaseStatus& status, Time now) const {
    if (terms_.changes != 0) status.reason = reason();
    status.merges = terms_.merges;
    status.changes = terms_.changes;
    status.leaderless_ns = terms_.leaderless_until(now);
    for (const member::Term& term : terms_.last)
        status.terms.push_back({site_.roster.name_of(term.leader), term.token, Instant{term.began},
                                term.ended == never ? Instant{} : Instant{term.ended},
                                reason(term.brought_by), end_of_term(term.ended_by)});
}

}  // namespace conclave::agent
