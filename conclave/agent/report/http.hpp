// Answers programs over HTTP: a load balancer that wants the leader, a monitor, a browser.
//
//   /         a page that shows the group (web/live/page.html), fed by /events
//   /leader   200 only where the leader is, and may act; 503 elsewhere
//   /health   200 while this node is healthy; 503 otherwise
//   /status   how the node stands, as JSON
//   /why      why the present leader leads, as JSON
//   /doctor   what is wrong, as JSON; asks the others, whose answers count at the next request
//   /events   status, views of the others, findings: now, at every change and about four times a
//             second (server-sent events)
//   /metrics  for Prometheus
//
// While somebody watches /events the node asks the others who they are, at most once a second
// however many watch. Nothing is ever changed from here.
#pragma once

#include "conclave/agent/node.hpp"
#include "conclave/net/http_server.hpp"

namespace conclave::agent {

class Http {
public:
    // Throws a net::Failure.
    Http(net::Loop& loop, Node& node, const net::Address& at);

    void tell_watchers() { server_.tell_watchers(); }  // something has changed
    net::Address local() const { return server_.local(); }

private:
    net::HttpAnswer answer(const std::string& path);
    std::string event();
    void pulse();
    void ask_others();

    Node& node_;
    net::Alarm pulse_;  // set while somebody watches
    Time asked_ = -std::chrono::hours(24);
    net::HttpServer server_;
};

// The answer to `path`, which is not /events.
net::HttpAnswer http_answer(const Node& node, const std::string& path);

}  // namespace conclave::agent
