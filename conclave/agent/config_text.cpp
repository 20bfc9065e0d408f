// A node's settings for people to read: --check-config.
#include "conclave/agent/config.hpp"
#include "conclave/agent/own_key.hpp"
#include "conclave/agent/roster.hpp"
#include "conclave/core/names.hpp"

namespace conclave::agent {

namespace {

std::string members_text(const Config& config) {
    std::string text;
    for (const NamedAddress& member : config.members)
        text += (text.empty() ? "" : ",") + member.name +
                (member.address ? "=" + net::text(*member.address) : "");
    return text;
}

std::string restart_text(Restart restart) {
    return restart == Restart::on_failure ? "on-failure" : std::string(name_of(restart));
}

class Lines {
public:
    void add(std::string_view name, const std::string& value) {
        text_ += std::string(name) + " = " + (value.empty() ? "(none)" : value) + "\n";
    }
    void add(std::string_view name, const char* value) { add(name, std::string(value)); }
    void add(std::string_view name, bool value) { add(name, value ? "true" : "false"); }
    void add(std::string_view name, Duration value) { add(name, format_duration(value)); }
    void add(std::string_view name, std::uint32_t value) { add(name, std::to_string(value)); }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

void add_group(const Config& config, Lines& lines) {
    lines.add("group", config.group);
    lines.add("name", config.name);
    if (config.expect != 0)
        lines.add("expect", config.expect);
    else
        lines.add("members", members_text(config));
    lines.add("witness", config.witness);
    lines.add("observer", config.observer);
    lines.add("no-quorum", config.no_quorum);
    lines.add("priority", config.priority);
    lines.add("preempt", config.preempt);
}

void add_network(const Config& config, Lines& lines) {
    lines.add("key", key_remark(config));
    lines.add("insecure", config.insecure);
    lines.add("state", config.state);
    lines.add("interface", config.interface.empty() ? "(all)" : config.interface);
    lines.add("port", config.port == 0 ? "(7675, or any free one)" : std::to_string(config.port));
    lines.add("meeting", net::text(config.meeting));
    lines.add("broadcast", config.broadcast);
    lines.add("detect", config.detect);
    lines.add("heartbeat", config.heartbeat);
    lines.add("stretch", config.stretch);
    lines.add("algorithm", config.algorithm);
    lines.add("http", config.http ? net::text(*config.http) : "");
    lines.add("http-host", join(config.http_hosts));
}

void add_work(const Config& config, Lines& lines) {
    lines.add("contain", config.contain);
    lines.add("require-contain", config.require_contain);
    lines.add("restart", restart_text(config.restart));
    lines.add("when-done", std::string(name_of(config.when_done)));
    lines.add("stop-timeout", config.stop_timeout);
    lines.add("grace", config.grace);
    lines.add("watchdog", config.watchdog == Duration{0} ? "" : format_duration(config.watchdog));
    lines.add("on-leader", config.on_leader);
    lines.add("on-follower", config.on_follower);
    lines.add("on-lost", config.on_lost);
    lines.add("on-no-leader", config.on_no_leader);
    lines.add("hook-timeout", config.hook_timeout);
    lines.add("health", config.health);
    lines.add("health-every", config.health_every);
    lines.add("health-timeout", config.health_timeout);
    lines.add("rise", config.rise);
    lines.add("fall", config.fall);
}

}  // namespace

std::string describe(const Config& config) {
    Lines lines;
    add_group(config, lines);
    add_network(config, lines);
    add_work(config, lines);
    std::string command;
    for (const std::string& word : config.command) command += (command.empty() ? "" : " ") + word;
    lines.add("command", command);
    return lines.text();
}

}  // namespace conclave::agent
