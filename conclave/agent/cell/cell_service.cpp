#include "conclave/agent/cell/cell_service.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "conclave/agent/cell/cell_node.hpp"
#include "conclave/agent/launch.hpp"
#include "conclave/agent/work/health.hpp"
#include "conclave/agent/work/hooks.hpp"
#include "conclave/net/line_server.hpp"
#include "conclave/net/notify.hpp"
#include "conclave/net/signals.hpp"

namespace conclave::agent {

namespace {

// Options of a group whose members vote.
constexpr std::array<std::string_view, 18> voting_options{
    "expect",   "members", "join",      "witness", "observer", "no-quorum",
    "priority", "preempt", "algorithm", "key",     "insecure", "interface",
    "port",     "meeting", "broadcast", "stretch", "publish",  "http"};

bool steers_cell(std::string_view verb) {
    return verb == "resign" || verb == "pause" || verb == "resume";
}

// The verbs of control.hpp that make sense where an engine keeps the lease.
class CellControl {
public:
    CellControl(net::Loop& loop, CellNode& node, std::string path)
        : node_(node),
          server_(loop, std::move(path),
                  [this](const std::string& line, const net::LineServer::Asker& asker) {
                      return answer(line, asker);
                  }) {}
    void tell_watchers() {
        if (server_.watched()) server_.tell_watchers(json(node_.status()));
    }

private:
    net::LineServer::Answer answer(const std::string& line, const net::LineServer::Asker& asker) {
        const std::string verb = line.substr(0, line.find(' '));
        const std::string rest = verb.size() < line.size() ? line.substr(verb.size() + 1) : "";
        if (steers_cell(verb) && !asker.may_steer())
            return {"user " + std::to_string(asker.user) +
                    " may ask this node, but not steer it: ask as the user who runs it, or as "
                    "root"};
        const NodeStatus status = node_.status();
        if (verb == "status") return {rest == "text" ? to_text(status) : json(status)};
        if (verb == "leader") return {rest == "json" ? leader_json(status) : status.leader};
        if (verb == "is-leader") return {status.may_act ? "yes" : "no"};
        if (verb == "why") return {rest == "json" ? json(status.lease) : reason(status)};
        if (verb == "bound") return {rest == "json" ? json(node_.bound()) : to_text(node_.bound())};
        if (verb == "watch") return {json(status), true};
        if (verb == "doctor") return {findings()};
        if (verb == "resign" && !rest.empty())
            return {
                "with --via nobody can name a successor: the first node that writes takes the "
                "cell; say conclave resign"};
        if (verb == "resign") {
            const std::string why = node_.resign();
            return {why.empty() ? "ok" : why};
        }
        if (verb == "pause") return node_.set_paused(true), net::LineServer::Answer{"ok"};
        if (verb == "resume") return node_.resume(), net::LineServer::Answer{"ok"};
        const std::string sentence =
            "with --via there are no members that vote: whoever runs conclave with the same --via "
            "and --group takes part";
        return {verb == "change" ? "refused " + sentence : sentence};
    }
    static std::string reason(const NodeStatus& status) {
        if (status.leader.empty()) return "nobody leads: the cell is free, or its holder is silent";
        return "'" + status.leader + "' leads, " + status.lease.reason;
    }
    std::string findings() const {
        std::string lines;
        for (const std::string& each : node_.examine()) lines += (lines.empty() ? "" : "\n") + each;
        return lines;
    }

    CellNode& node_;
    net::LineServer server_;
};

}  // namespace

std::string via_problem(const ViaGiven& via, const std::vector<options::Given>& given) {
    if (via.url.empty()) {
        const bool other = !via.credentials.empty() || !via.ca.empty() ||
                           !via.certificate.empty() || !via.private_key.empty();
        return other
                   ? "--via-credentials, --via-ca, --via-cert and --via-cert-key belong to --via, "
                     "which is missing: give it, too"
                   : "";
    }
    for (const options::Given& each : given)
        if (std::find(voting_options.begin(), voting_options.end(), each.name) !=
            voting_options.end())
            return "--" + each.name +
                   " cannot go with --via, where the engine keeps the lease and no members vote: "
                   "leave it out";
    if (access(find_engine_program().c_str(), X_OK) != 0)
        return "--via needs conclave-engine, which is not at " + find_engine_program() +
               ": install the package conclave-engine, or build with libcurl and libpq";
    return {};
}

Served serve_cell(const Config& config, const ViaGiven& via) {
    wait_for_room(config);
    Launch launch = prepare_launch(config);
    net::Loop loop;
    Served served;
    // Over which the guardian tells conclave-engine that this process is dead.
    const net::Descriptor notices(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto make_work = [&](Work::Gone gone) {
        if (config.command.empty()) return make_idle_work(loop, std::move(gone));
        return make_command_work(loop, config,
                                 {launch.lock.get(), notices.get(), &launch.tree, &launch.former},
                                 std::move(gone));
    };
    CellNode node(loop, config, via, launch.former, make_work,
                  [&](int code, const std::string& why) {
                      served = {code, why};
                      loop.stop();
                  });
    CellControl control(loop, node, place_of(config, ".sock"));
    Hooks hooks(loop, config);
    const auto health = make_health(loop, config, [&](bool well, const std::string& words) {
        node.set_healthy(well, "the check " + words);
    });
    net::Notify notify(loop);
    node.on_change = [&] {
        hooks.look(node.status());
        control.tell_watchers();
    };
    const net::Signals signals(loop, {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}, [&](int number) {
        if (number != SIGTERM && number != SIGINT) return node.pass_signal(number);
        notify.say("STOPPING=1");
        node.leave();
    });
    node.start();
    notify.say("READY=1\nSTATUS=looks at the cell");
    if (health) health->start();
    if (!loop.stopped()) loop.run();
    return served;
}

}  // namespace conclave::agent
