// The other nodes of the group, as far as they have been heard: who calls itself what, and where.
#pragma once

#include <string>
#include <vector>

#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/group/post.hpp"
#include "conclave/agent/group/presence.hpp"
#include "conclave/net/address.hpp"

namespace conclave::agent {

struct Peer {
    std::uint64_t identity = 0;  // random, kept in its state file
    net::Address address{};      // where it has proved to be
    Time met{}, heard{};         // first and last
    Duration waited{};           // before it was read: the last datagram
    Presence said{};             // empty name: it has not said who it is
    Time said_at = -std::chrono::hours(24);
    bool told_done = false;  // its program knows of such records
    Id member = nobody;      // in the roster
    bool gone = false;       // it took its leave, or was given up, and has not been heard since

    Receiver receiver() const { return {identity, address}; }
};

class Peers {
public:
    static constexpr std::size_t most = 256;

    // A datagram of this node was heard; it is there.
    Peer& hear(std::uint64_t identity, const net::Address& from, Time now);
    enum class Seat : std::uint8_t {
        taken,   // its place in the roster, or it has none
        waiting  // another has the name: perhaps it is alive, perhaps a former life, heard late
    };
    // It says who it is. Its place is taken from another that has the name when that one has been
    // silent for `silence`.
    Seat introduce(Peer& peer, const Presence& presence, const Roster& roster, Duration silence);
    // It is heard again, and said before who it is: who had to wait for its place may have it now.
    Seat seat(Peer& peer, const Roster& roster, Duration silence);
    // The member is gone: whoever bears its name next may have its place at once.
    void vacate(Id member);
    // There is a roster, or a newer one: everybody gets its place, and whoever left has none.
    void seat(const Roster& roster);
    // Those that want to be `name` and are no members answer as `id`.
    void seat_newcomer(const std::string& name, Id id);

    // Those that wait for the name of this peer, heard since `since`.
    std::vector<const Peer*> rivals_of(const Peer& peer, Time since) const;

    Peer* find(Id member);
    const Peer* find(Id member) const;
    const std::vector<Peer>& all() const { return peers_; }
    // The names of those heard since `since`.
    std::vector<std::string> names_heard(Time since) const;

private:
    std::vector<Peer> peers_{};
};

}  // namespace conclave::agent
