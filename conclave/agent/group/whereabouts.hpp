// Where the members are, in a group that has addresses instead of multicast: as they were given, as
// their host names are looked up, and as they have proved to be.
//
// A host name is looked up at the start, and again and again while its member is silent. A member
// that has moved is followed when it has proved its new address with the group's key; what is said
// to everybody goes there, and to where it was given, for it may return.
#pragma once

#include <map>
#include <string>

#include "conclave/agent/group/name_lookup.hpp"
#include "conclave/agent/site.hpp"

namespace conclave::agent {

class Whereabouts {
public:
    explicit Whereabouts(Site& site);

    // At every heartbeat, and when a peer has proved where it is.
    void look();

private:
    std::vector<NamedAddress> others() const;
    void look_up_silent();
    void note(const std::string& host, std::optional<net::Address> address);
    void tell_post();
    bool is_silent(const NamedAddress& member) const;

    Site& site_;
    NameLookup lookup_;
    std::map<std::string, net::Address> found_{};  // by host; the port is the member's
    Time asked_ = -std::chrono::hours(24);
};

}  // namespace conclave::agent
