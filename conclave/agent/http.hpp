// Answers programs over HTTP: a load balancer that wants the leader, a monitor, a page.
//
//   /leader   200 only where the leader is, and may act; 503 elsewhere
//   /health   200 while this node is healthy; 503 otherwise
//   /status   how the node stands, as JSON
//   /events   the same, now and at every change (server-sent events)
//   /metrics  for Prometheus
//
// In the node's own loop, so everything is bounded: connections, their number and age, and what may
// wait to be sent. Nothing is ever changed from here.
#pragma once

#include <list>
#include <string>

#include "conclave/agent/node.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

class Http {
public:
    // Throws a net::Failure.
    Http(net::Loop& loop, const Node& node, const net::Address& at);
    ~Http();
    Http(const Http&) = delete;
    Http& operator=(const Http&) = delete;

    void tell_watchers();  // something has changed
    net::Address local() const;

private:
    struct Caller {
        net::Descriptor socket;
        std::string heard, unsent;
        bool watches = false;
        Time since{};
    };
    void accept_caller();
    void read(Caller& caller);
    void answer(Caller& caller);
    void send_waiting(Caller& caller);
    void hang_up(const Caller& caller);
    void end_old();

    net::Loop& loop_;
    const Node& node_;
    net::Descriptor listener_;
    std::list<Caller> callers_;
    net::Alarm sweep_;
};

// The whole answer to GET or HEAD of `path`, which is not /events.
std::string http_answer(const Node& node, const std::string& path, bool head);

}  // namespace conclave::agent
