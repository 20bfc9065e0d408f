#include "conclave/agent/node_service.hpp"

#include <csignal>

#include "conclave/agent/launch.hpp"
#include "conclave/agent/pace/jitter.hpp"
#include "conclave/agent/pace/time_stretching.hpp"
#include "conclave/agent/report/control.hpp"
#include "conclave/agent/report/http.hpp"
#include "conclave/agent/work/health.hpp"
#include "conclave/agent/work/hooks.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/notify.hpp"
#include "conclave/net/signals.hpp"

namespace conclave::agent {

namespace {

constexpr Duration look_at_machine = std::chrono::milliseconds(300);

// What has happened is told, even if it is that the node ends.
void finish_hooks(net::Loop& loop, const Hooks& hooks, Duration limit) {
    const Time end = net::boot_time() + limit;
    while (!hooks.idle() && net::boot_time() < end) loop.step(std::chrono::milliseconds(10));
}

// Called at every change of a node.
class Surroundings {
public:
    Surroundings(net::Loop& loop, Node& node, const Config& config)
        : node_(node),
          control_(loop, node, place_of(config, ".sock")),
          hooks_(loop, config),
          health_(make_health(loop, config,
                              [&node](bool well, const std::string& words) {
                                  node.set_healthy(well, "the check " + words);
                              })),
          notify_(loop) {
        if (config.web.address) http_ = std::make_unique<Http>(loop, node, *config.web.address);
        node.on_change = [this] { look(); };
    }

    void start() {
        notify_.say("READY=1\nSTATUS=looks for the others");
        if (health_) health_->start();
    }
    void announce_end() { notify_.say("STOPPING=1"); }
    const Hooks& hooks() const { return hooks_; }

private:
    void look() {
        const NodeStatus status = node_.status();
        hooks_.look(status);
        control_.tell_watchers();
        if (http_) http_->tell_watchers();
        notify_.say("STATUS=" + status.state +
                    (status.leader.empty() ? "" : ", '" + status.leader + "' leads"));
    }

    Node& node_;
    Control control_;
    Hooks hooks_;
    std::unique_ptr<Health> health_;
    std::unique_ptr<Http> http_;
    net::Notify notify_;
};

// With longer times, where this machine needs them.
Config fit_times(const Config& config) {
    if (!config.stretch) return config;
    const Config fitting = stretch(config, least_detect(measure_lateness(look_at_machine)));
    if (fitting.detect != config.detect)
        Log(config.group + "/" + config.name)
            .warn("stretches --detect from " + format_duration(config.detect) + " to " +
                  format_duration(fitting.detect) + ", for this machine is busy");
    return fitting;
}

struct Life {
    Served served;
    Duration longer{};  // another node's time, with which to begin anew
};

Life live_once(const Config& config) {
    wait_for_room(config);
    Launch launch = prepare_launch(config);
    net::Loop loop;
    Life life;
    const auto make_work = [&](int socket, Work::Gone gone) {
        if (config.command.empty()) return make_idle_work(loop, std::move(gone));
        return make_command_work(loop, config,
                                 {launch.lock.get(), socket, &launch.tree, &launch.former},
                                 std::move(gone));
    };
    Node node(loop, config, launch.keys, *launch.file, launch.state, make_work,
              [&](int ended, const std::string& reason) {
                  life.served = {ended, reason};
                  loop.stop();
              });
    Surroundings around(loop, node, config);
    bool asked_to_end = false;
    const net::Signals signals(loop, {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}, [&](int number) {
        if (number != SIGTERM && number != SIGINT) return node.pass_signal(number);
        asked_to_end = true;
        around.announce_end();
        node.leave();
    });
    node.wait_for(launch.former);
    node.start();
    around.start();
    if (!loop.stopped()) loop.run();
    finish_hooks(loop, around.hooks(), 2 * config.hook_timeout);
    if (!asked_to_end && life.served.code == 0) life.longer = node.longer_detect();
    return life;
}

}  // namespace

Served serve(const Config& given) {
    Config config = fit_times(given);
    for (;;) {
        const Life life = live_once(config);
        if (life.longer == Duration{}) return life.served;
        config = stretch(config, life.longer);
    }
}

}  // namespace conclave::agent
