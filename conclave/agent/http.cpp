#include "conclave/agent/http.hpp"

#include "conclave/agent/metrics.hpp"

namespace conclave::agent {

namespace {

net::HttpAnswer health_of(const FitnessStatus& fitness) {
    if (!fitness.healthy) return {503, "unhealthy\n"};
    if (!fitness.obstacle.empty()) return {503, "cannot lead: " + fitness.obstacle + "\n"};
    return {200, "healthy\n"};
}

}  // namespace

net::HttpAnswer http_answer(const Node& node, const std::string& path) {
    const Status status = node.status();
    if (path == "/leader") return {status.may_act ? 200 : 503, status.leader + "\n"};
    if (path == "/health") return health_of(status.fitness);
    if (path == "/status") return {200, json(status) + "\n", "application/json"};
    if (path == "/metrics")
        return {200, to_metrics(status, node.bound()), "text/plain; version=0.0.4; charset=utf-8"};
    return {404, "there are /leader /health /status /events /metrics\n"};
}

Http::Http(net::Loop& loop, const Node& node, const net::Address& at)
    : server_(loop, at,
              {[&node](const std::string& path) { return http_answer(node, path); },
               [&node] { return json(node.status()); }, node.config().http_hosts}) {}

}  // namespace conclave::agent
