#include "conclave/agent/http.hpp"

#include <unistd.h>

#include <array>
#include <climits>

#include "conclave/agent/metrics.hpp"

namespace conclave::agent {

net::HttpAnswer http_answer(const Node& node, const std::string& path) {
    const Status status = node.status();
    if (path == "/leader") return {status.may_act ? 200 : 503, status.leader + "\n"};
    if (path == "/health")
        return {status.fitness.healthy ? 200 : 503,
                status.fitness.healthy ? "healthy\n" : "unhealthy\n"};
    if (path == "/status") return {200, json(status) + "\n", "application/json"};
    if (path == "/metrics")
        return {200, to_metrics(status, node.bound()), "text/plain; version=0.0.4; charset=utf-8"};
    return {404, "there are /leader /health /status /events /metrics\n"};
}

std::vector<std::string> Http::names_of(const Config& config) {
    std::vector<std::string> names = config.http_hosts;
    std::array<char, HOST_NAME_MAX + 1> own{};
    if (gethostname(own.data(), own.size() - 1) == 0) names.emplace_back(own.data());
    return names;
}

Http::Http(net::Loop& loop, const Node& node, const net::Address& at)
    : server_(loop, at,
              {[&node](const std::string& path) { return http_answer(node, path); },
               [&node] { return json(node.status()); }, names_of(node.config())}) {}

}  // namespace conclave::agent
