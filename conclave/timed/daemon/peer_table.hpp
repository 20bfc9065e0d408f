// The daemons that this one has heard of, by name: on the wire a name is who one is.
//
// A name belongs to the address from which it was first heard, until that has been silent for a
// while: so nobody takes the place of a daemon that is alive (BSD timed believes any name).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "conclave/core/id.hpp"
#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"

namespace conclave::timed {

struct Peer {
    std::string name{};
    Id id = nobody;
    net::Address address{};
    bool own = false;     // one of ours, by its trailer; else as BSD timed
    bool sealed = false;  // it has the key
    bool eligible = true;
    std::uint64_t session = 0;  // of ours: changes when it is started anew
    Time heard{};
    // Where its name was heard from last and before, believed or not: of two machines by turns.
    net::Address seen{}, former{};
    Time moved{};  // when that changed
    // Of what wants an acknowledgement, the last number heard: a repetition is acknowledged again
    // but not obeyed again.
    std::optional<std::uint16_t> last_number{};
    bool told_time = false;       // a BSD slave was given the time since it was enlisted
    std::uint32_t missed = 0;     // so often it did not answer in a row
    std::uint32_t contested = 0;  // so many of its QUITs were, as long as it said no SLAVEUP
};

// The same on every machine.
Id id_of(const std::string& name);

class Company {
public:
    static constexpr std::size_t most = 4096;

    // A name belongs to a silent address for this long.
    void set_silence(Duration silence) { silence_ = silence; }

    enum class Refusal : std::uint8_t { none, address, clash, crowded };
    struct Met {
        Peer* peer = nullptr;
        Refusal refusal = Refusal::none;
    };
    // A name that was heard from an address, and may be believed.
    Met meet(const std::string& name, const net::Address& from, Time now);
    bool heard_lately(const Peer& peer, Time now) const { return now - peer.heard < silence_; }
    Peer* find(Id id);
    const Peer* find(Id id) const;
    std::string name_of(Id id) const;
    const std::map<Id, Peer>& all() const { return peers_; }

private:
    Duration silence_ = std::chrono::seconds(10);
    std::map<Id, Peer> peers_;
};

}  // namespace conclave::timed
