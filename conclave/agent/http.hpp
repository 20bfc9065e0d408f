// Answers programs over HTTP: a load balancer that wants the leader, a monitor, a page.
//
//   /leader   200 only where the leader is, and may act; 503 elsewhere
//   /health   200 while this node is healthy; 503 otherwise
//   /status   how the node stands, as JSON
//   /events   the same, now and at every change (server-sent events)
//   /metrics  for Prometheus
#pragma once

#include "conclave/agent/node.hpp"
#include "conclave/net/http_server.hpp"

namespace conclave::agent {

class Http {
public:
    // Throws a net::Failure.
    Http(net::Loop& loop, const Node& node, const net::Address& at);

    void tell_watchers() { server_.tell_watchers(); }  // something has changed
    net::Address local() const { return server_.local(); }

private:
    net::HttpServer server_;
};

// The answer to `path`, which is not /events.
net::HttpAnswer http_answer(const Node& node, const std::string& path);

}  // namespace conclave::agent
