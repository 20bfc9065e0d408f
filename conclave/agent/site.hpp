// What the parts of a node share: its settings, datagrams, peers, place in the roster and member.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conclave/agent/group/peers.hpp"
#include "conclave/agent/group/post.hpp"
#include "conclave/agent/host.hpp"
#include "conclave/agent/report/warnings.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

struct Site {
    Site(net::Loop& its_loop, Config its_config, std::uint64_t its_identity, net::Log::Sink log)
        : loop(its_loop),
          given(std::move(its_config)),
          config(given),
          identity(its_identity),
          warnings(config.group + "/" + config.name, std::move(log)) {}

    net::Loop& loop;
    const Config given;  // as this node was started
    Config config;       // as it runs: the times are those of the roster. The node writes it
    const std::uint64_t identity;  // random, in the state file
    const Time born = net::boot_time();
    Warnings warnings;
    std::unique_ptr<Post> post{};
    Peers peers{};
    Roster roster{};  // empty: not fixed yet. Written when the node seats its member, and when the
                      // lease knows a newer one
    Id me = nobody;   // of the member
    std::string newcomer{};        // that an operator wants to be added, and this leader asks, too
    std::unique_ptr<Host> host{};  // nullptr: the roster is not fixed yet
    std::function<void()> on_change{};  // somebody else leads, or the command has changed

    const net::Log& log() const { return warnings.log; }
    Duration age() const { return net::boot_time() - born; }
    void changed() const {
        if (on_change) on_change();
    }

    // As the member believes.
    Id leader() const { return host ? host->view().leader : nobody; }
    bool leads() const { return host && leader() == me; }
    std::string leader_name() const { return leader() == nobody ? "" : roster.name_of(leader()); }
    std::string quoted(Id id) const { return "'" + roster.name_of(id) + "'"; }
    std::vector<Id> members() const { return roster.ids(); }
    // An observer has nothing to become a member of.
    bool is_member() const { return config.observer || roster.id_of(config.name) != nobody; }
    // It answers as whoever comes next; one that was a member has a number of its own.
    bool joins() const {
        return !is_member() && static_cast<std::uint32_t>(me) > roster.stamped().last;
    }
    // By which this node and the others know that they are of one group.
    lease::Seal seal{};

    // To one peer, or with nullptr to everybody.
    template <class Message>
    void tell(const Receiver* to, const Message& message) const {
        Bytes bytes;
        wire::encode_body(message, post->version(), bytes);
        if (to != nullptr)
            post->send(*to, wire::Kind::agent, bytes);
        else
            post->send_all(wire::Kind::agent, bytes);
    }
};

}  // namespace conclave::agent
