#include "conclave/agent/report/http.hpp"

#include <algorithm>

#include "conclave/agent/report/live_page.hpp"
#include "conclave/agent/report/metrics.hpp"
#include "conclave/agent/report/why.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view json_type = "application/json";

net::HttpAnswer health_of(const FitnessStatus& fitness) {
    if (!fitness.healthy) return {503, "unhealthy\n"};
    if (!fitness.obstacle.empty()) return {503, "cannot lead: " + fitness.obstacle + "\n"};
    return {200, "healthy\n"};
}

// Often enough to see the lease being renewed.
Duration pulse_time(const Config& config) {
    return std::clamp<Duration>(config.heartbeat, milliseconds(250), milliseconds(1000));
}

// A question makes every member speak to every other: seldom in large groups.
Duration asking_time(const Node& node) {
    const Duration usual =
        std::clamp<Duration>(node.config().detect, milliseconds(500), milliseconds(1000));
    return std::max<Duration>(usual, node.status().members.size() * milliseconds(50));
}

}  // namespace

net::HttpAnswer http_answer(const Node& node, const std::string& path) {
    if (path == "/") return {200, std::string(live_page()), "text/html; charset=utf-8"};
    const NodeStatus status = node.status();
    if (path == "/leader") return {status.may_act ? 200 : 503, status.leader + "\n"};
    if (path == "/health") return health_of(status.fitness);
    if (path == "/status") return {200, json(status) + "\n", json_type};
    if (path == "/why") return {200, json(reasons_of(status)) + "\n", json_type};
    if (path == "/doctor") return {200, doctor_json(node.overview()) + "\n", json_type};
    if (path == "/metrics")
        return {200, to_metrics(node.overview()), "text/plain; version=0.0.4; charset=utf-8"};
    return {404, "there are / /leader /health /status /why /doctor /events /metrics\n"};
}

Http::Http(net::Loop& loop, Node& node, const net::Address& at)
    : node_(node),
      pulse_(loop, [this] { pulse(); }),
      server_(loop, at,
              {[this](const std::string& path) { return answer(path); }, [this] { return event(); },
               node.config().web.hosts}) {}

net::HttpAnswer Http::answer(const std::string& path) {
    if (path == "/doctor") ask_others();
    return http_answer(node_, path);
}

// The first watcher: the others are asked at once, so that their views soon follow.
std::string Http::event() {
    if (!pulse_.is_set()) {
        ask_others();
        pulse_.set(net::boot_time() + pulse_time(node_.config()));
    }
    return events_json(node_.overview());
}

void Http::pulse() {
    if (!server_.watched()) return;
    pulse_.set(net::boot_time() + pulse_time(node_.config()));
    server_.tell_watchers();
    ask_others();
}

void Http::ask_others() {
    const Time now = net::boot_time();
    if (now - asked_ < asking_time(node_)) return;
    asked_ = now;
    node_.question_peers();
}

}  // namespace conclave::agent
