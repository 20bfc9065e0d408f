// Sends and receives the agent's datagrams: sealed, numbered, by multicast, by subnet broadcast or
// to each address.
//
// One socket of its own port sends everything, so that all its datagrams come from one place;
// another shares the discovery port with all nodes of the machine and hears what is said to
// everybody. Where a peer is, is what it has proved (wire/replay.hpp), not where a datagram came
// from.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "conclave/net/interface_watch.hpp"
#include "conclave/net/interfaces.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/net/socket.hpp"
#include "conclave/wire/envelope.hpp"
#include "conclave/wire/replay.hpp"

namespace conclave::agent {

struct PostSettings {
    std::string group{};
    wire::Keys keys{};
    std::uint64_t identity = 0;
    std::uint32_t incarnation = 1;
    net::Address local{};              // of the own socket; port 0: any
    std::uint16_t usual_port = 0;      // rather this than any; 0: none in particular
    net::Address meeting{};            // the multicast group and port where all listen
    bool by_address = false;           // no multicast: every member has an address, ...
    std::vector<net::Address> each{};  // ... as far as they are known at the start
    bool broadcast = false;            // to the subnet, instead of multicast, on the same port
    std::string interface{};           // only this one; empty: all
    bool loopback_only = true;
    wire::Versions versions = wire::spoken;
};

// The interfaces by which all are reached: the one that is named, even if it is the loopback.
std::vector<net::Interface> meeting_paths(const PostSettings& settings,
                                          std::vector<net::Interface> all);
// What to tell people where there is none.
std::string no_path_remark(bool broadcast);

struct PostCounts {
    std::uint64_t sent = 0, received = 0, unsent = 0;
    std::array<std::uint64_t, wire::drop_count> dropped{};
};

struct Delivery {
    const wire::Envelope& envelope;
    net::Address from;  // where its sender has proved to be
    Duration waited{};  // before it was read, because this node was busy, or stopped
};

// A peer to whom something is sent.
struct Receiver {
    std::uint64_t identity = 0;
    net::Address address{};
};

class Post {
public:
    struct Handlers {
        std::function<void(const Delivery&)> deliver;
        // It has answered a challenge just now, from there; first: now it can be talked to.
        std::function<void(const Receiver& peer, bool first)> proved{};
        // A datagram that claims to be of this group was not opened. Anybody could have sent it.
        std::function<void(wire::Drop, const net::Address& from)> refused{};
    };

    Post(net::Loop& loop, PostSettings settings, Handlers handlers);
    ~Post();
    Post(const Post&) = delete;
    Post& operator=(const Post&) = delete;

    void send(const Receiver& to, wire::Kind kind, Input body);
    void send_all(wire::Kind kind, Input body);
    // The last word of this session, sealed for somebody else to say it to each.
    Bytes seal_death_notice(Input body) const;
    // From now on, what is said to everybody goes to these addresses.
    void set_each(std::vector<net::Address> each) { settings_.each = std::move(each); }
    const std::vector<net::Address>& each() const { return settings_.each; }
    // Asks a peer whether it is alive: `proved` tells, if it is.
    void probe(std::uint64_t identity);
    // A delivered datagram was dropped all the same.
    void count(wire::Drop reason) { ++counts_.dropped[static_cast<std::size_t>(reason)]; }

    // Of what is sent now: everybody who is known can open it, but for require().
    std::uint8_t version() const { return std::max(sessions_.common(settings_.versions), least_); }
    // From now on nothing older is sent, whoever cannot open it.
    void require(std::uint8_t version) { least_ = std::max(least_, version); }
    // Can everybody who is known open it?
    bool all_open(std::uint8_t version) const {
        const std::uint8_t common = sessions_.common({0, settings_.versions.newest});
        return common == 0 || common >= version;
    }
    int fd() const { return own_.fd(); }
    net::Address local() const { return own_.local(); }
    const PostCounts& counts() const { return counts_; }
    // Where sessions are heard lately that have answered no challenge for a while.
    std::vector<net::Address> mute() const;
    std::vector<std::string> paths() const;  // the interfaces by which all are reached

private:
    void read(net::Socket& socket);
    void receive(const net::Arrival& arrival, bool to_all);
    bool is_for_us(const wire::Envelope& envelope, bool to_all) const;
    wire::Arrived describe(const net::Arrival& arrival) const;
    void find_paths();
    Bytes seal(wire::Kind kind, std::uint64_t receiver, std::uint64_t sequence, Input body) const;
    void transmit(const net::Address& to, Input datagram, const net::Path& path = {});

    net::Loop& loop_;
    PostSettings settings_;
    Handlers handlers_;
    std::uint64_t group_, session_, sequence_ = 0;
    wire::Sessions sessions_;
    net::Socket own_;
    std::unique_ptr<net::Socket> shared_;
    std::vector<net::Interface> paths_{};
    Time looked_{};  // for paths
    net::Alarm look_again_;
    std::unique_ptr<net::InterfaceWatch> interfaces_;
    PostCounts counts_;
    std::uint8_t least_ = 0;
    struct Stranger {
        std::uint64_t session;
        net::Address from;
        Time first, last;
    };
    void note_stranger(const wire::Envelope& envelope, const net::Address& from);
    std::vector<Stranger> strangers_{};  // heard, and never proved
};

}  // namespace conclave::agent
