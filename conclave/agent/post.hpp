// Sends and receives the agent's datagrams: sealed, numbered, by multicast, by subnet broadcast or
// to each address.
//
// One socket of its own port sends everything, so that who hears it knows where to answer; another
// shares the discovery port with all nodes of the machine and hears what is said to everybody.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

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
    net::Address meeting{};            // the multicast group and port where all listen
    std::vector<net::Address> each{};  // not empty: no multicast, everybody has an address
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
    const net::Address& from;
    Duration waited{};  // before it was read, because this node was busy, or stopped
};

class Post {
public:
    struct Handlers {
        std::function<void(const Delivery&)> deliver;
        std::function<void(const net::Address&)> proved;  // somebody new can be talked to
    };

    Post(net::Loop& loop, PostSettings settings, Handlers handlers);
    ~Post();
    Post(const Post&) = delete;
    Post& operator=(const Post&) = delete;

    void send(const net::Address& to, wire::Kind kind, Input body);
    void send_all(wire::Kind kind, Input body);
    // The last word of this session, sealed for somebody else to say it.
    Bytes seal_farewell(Input body) const;

    int fd() const { return own_.fd(); }
    net::Address local() const { return own_.local(); }
    const PostCounts& counts() const { return counts_; }
    std::vector<std::string> paths() const;  // the interfaces by which all are reached

private:
    void read(net::Socket& socket);
    void receive(const net::Arrival& arrival);
    void find_paths();
    Bytes seal(wire::Kind kind, std::uint64_t sequence, Input body) const;
    void transmit(const net::Address& to, Input datagram, const net::Path& path = {});

    net::Loop& loop_;
    PostSettings settings_;
    Handlers handlers_;
    std::uint64_t group_, session_, sequence_ = 0;
    wire::Sessions sessions_;
    net::Socket own_;
    std::unique_ptr<net::Socket> shared_;
    std::vector<net::Interface> paths_{};
    net::Alarm look_again_;
    PostCounts counts_;
};

}  // namespace conclave::agent
