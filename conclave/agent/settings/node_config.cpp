#include "conclave/agent/settings/node_config.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/host.hpp"
#include "conclave/agent/settings/own_key.hpp"
#include "conclave/agent/work/health.hpp"
#include "conclave/core/glyph.hpp"
#include "conclave/options/toml_file.hpp"

namespace conclave::agent {

namespace {

namespace config_options {  // names that others in this folder have, too

using options::Answer, options::Values;
using Option = options::Option<Config>;

constexpr std::uint16_t meeting_port = 7676;

// A name that is safe in paths, logs and datagrams.
struct Name {
    static constexpr std::string_view name = "NAME";
    static Answer read(std::string_view text, std::string& into) {
        into = text;
        const std::string problem = name_problem(text);
        return problem.empty() ? Answer{} : options::wrong(problem);
    }
    static std::string write(const std::string& text) { return text; }
};

Answer read_members(Config& config, std::string_view value) {
    config.members.clear();
    if (value.empty()) return {};
    for (const std::string_view one : options::split_text(value, ',')) {
        NamedAddress member;
        if (const auto problem = read_entry(one, member); !problem.empty())
            return options::wrong(problem);
        config.members.push_back(std::move(member));
    }
    return {};
}
Values write_members(const Config& config) {
    std::string text;
    for (const NamedAddress& member : config.members)
        text += (text.empty() ? "" : ",") + entry_of(member);
    return text.empty() ? Values{} : Values{text};
}

struct Algorithm {
    static constexpr std::string_view name = "NAME";
    static Answer read(std::string_view text, std::string& into) {
        into = text;
        std::vector<std::string> names;
        for (const std::string_view each : hosted_algorithms()) names.emplace_back(each);
        const bool known = std::find(names.begin(), names.end(), text) != names.end();
        return known ? Answer{} : options::wrong("choose from " + join(names));
    }
    static std::string write(const std::string& text) { return text; }
};

// One of these, kept as text.
template <options::Names Choices>
struct Word {
    static constexpr std::string_view name = Choices.text();
    static Answer read(std::string_view text, std::string& into) {
        std::size_t place = 0;
        into = text;
        return options::read_choice(text, name, place);
    }
    static std::string write(const std::string& text) { return text; }
};

struct Check {
    static constexpr std::string_view name = "CHECK";
    static Answer read(std::string_view text, std::string& into) {
        into = text;
        return parse_check(text)
                   ? Answer{}
                   : options::wrong(
                         "give a command, tcp:HOST:PORT or http://HOST:PORT/PATH, where HOST is an "
                         "IP address or localhost");
    }
    static std::string write(const std::string& text) { return text; }
};

// An address with a port, to listen on.
struct Listen {
    static constexpr std::string_view name = "ADDRESS";
    static Answer read(std::string_view text, net::Address& into) {
        const auto address = net::parse_address(text);
        if (!address || address->port == 0)
            return options::wrong("give an IP address and a port: 127.0.0.1:7677");
        into = *address;
        return {};
    }
    static std::string write(const net::Address& address) { return net::text(address); }
};

struct Meeting {
    static constexpr std::string_view name = "ADDRESS";
    static Answer read(std::string_view text, net::Address& into) {
        const auto address = net::parse_address(text, meeting_port);
        if (!address || !address->is_multicast())
            return options::wrong("give a multicast address such as " +
                                  std::string(Config::usual_meeting));
        into = *address;
        return {};
    }
    static std::string write(const net::Address& address) { return net::text(address); }
};

struct Published {
    static constexpr std::string_view name = "TEXT";
    static Answer read(std::string_view text, std::string& into) {
        into = text;
        const std::string problem = published_problem(text);
        return problem.empty() ? Answer{} : options::wrong(problem);
    }
    static std::string write(const std::string& text) { return text; }
};

bool is_host_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}
struct Hosts {
    static constexpr std::string_view name = "A,B,..";
    static Answer read(std::string_view text, std::vector<std::string>& into) {
        into.clear();
        if (text.empty()) return {};
        for (const std::string_view one : options::split_text(text, ',')) {
            const bool plain = std::all_of(one.begin(), one.end(), is_host_letter);
            if (one.empty() || one.size() > 253 || !plain)
                return options::wrong(
                    "give names of hosts, as in conclave.example.org, separated by commas");
            into.emplace_back(one);
        }
        return {};
    }
    static std::string write(const std::vector<std::string>& hosts) { return join(hosts); }
};

using C = Config;
using options::Count, options::Span, options::Text, options::Path, options::Choice, options::once,
    options::flag, options::ms, options::Hint;
constexpr std::int64_t least_span = 10 * ms;

constexpr auto health_check = [](auto& config) -> auto& { return config.health.check; };
constexpr auto health_every = [](auto& config) -> auto& { return config.health.every; };
constexpr auto health_timeout = [](auto& config) -> auto& { return config.health.timeout; };
constexpr auto rise = [](auto& config) -> auto& { return config.health.rise; };
constexpr auto fall = [](auto& config) -> auto& { return config.health.fall; };
constexpr auto grace = [](auto& config) -> auto& { return config.grace.span; };
constexpr auto clean_up = [](auto& config) -> auto& { return config.on_stopped.line; };
constexpr auto clean_up_limit = [](auto& config) -> auto& { return config.on_stopped.limit; };

constexpr auto web_address = [](auto& config) -> auto& { return config.web.address; };
constexpr auto web_hosts = [](auto& config) -> auto& { return config.web.hosts; };

constexpr Option group_options[] = {
    once<&C::group, Name>("group", "name of the group that this node belongs to"),
    once<&C::name, Name>("name", "name of this node", "the host's name"),
    once<&C::expect, Count<1, Roster::most>>(
        "expect",
        "form the group when this many nodes have found each other; conclave members changes it "
        "later"),
    {{"members", options::Kind::once, "A,B,..",
      "form the group of these members; with addresses or host names (A=10.0.0.1,B=node2) nothing "
      "is multicast"},
     &read_members,
     &write_members},
    flag<&C::join>("join",
                   "join a group that runs: be no member before conclave members add names this "
                   "node"),
    flag<&C::witness>("witness", "vote, but never lead"),
    flag<&C::observer>("observer", "see everything, but be no member: neither vote nor lead"),
    flag<&C::no_quorum>(
        "no-quorum",
        "elect one leader in every connected part: after a partition there are two until it heals"),
    once<&C::priority, Count<0, 1'000'000>>(
        "priority", "prefer the member with the greatest priority as leader", "0")
        .called("NUMBER"),
    flag<&C::preempt>("preempt", "let a leader hand over to a better member"),
    once<&C::algorithm, Algorithm>(
        "algorithm",
        "algorithm that elects the leader: bully, invitation, multicast, nemeth, tempo", "bully"),
};

constexpr Option network_options[] = {
    once<&C::key, Path>("key",
                        "key file of the group, which conclave keygen makes; without it only this "
                        "machine is used, with a key of this user's own")
        .with(Hint::file),
    flag<&C::insecure>("insecure", "use the network without a key: anybody on it can take part"),
    once<&C::state, Path>("state", "folder in which the node keeps its promises over a restart",
                          "/var/lib/conclave, for others than root ~/.local/state/conclave")
        .called("DIR")
        .with(Hint::folder),
    once<&C::interface, Text>("interface", "use this network interface only", "all")
        .called("NAME")
        .with(Hint::interface),
    once<&C::port, Count<1, 65535>>("port", "UDP port of this node",
                                    "7675; where that is taken, any free one")
        .called("PORT"),
    once<&C::meeting, Meeting>("meeting", "multicast address at which the nodes find each other",
                               Config::usual_meeting),
    flag<&C::broadcast>("broadcast",
                        "find each other by broadcast in the subnet, instead of multicast"),
    once<&C::detect, Span<4 * least_span>>("detect", "replace a silent leader after this time",
                                           "1s"),
    once<&C::heartbeat, Span<least_span>>("heartbeat", "time between two renewals of the lease",
                                          "a quarter of --detect"),
    flag<&C::stretch>("stretch",
                      "use a longer --detect if this machine is too slow for the given one"),
};

constexpr Option command_options[] = {
    once<&C::contain, Word<"best|pid|user|group">>(
        "contain",
        "containment of the command's processes; group is weaker than a namespace (pid, user)",
        "best, the first of pid and user that the machine allows"),
    flag<&C::require_contain>("require-contain",
                              "refuse to start with less than --contain asks for"),
    once<&C::restart, Choice<"no|on-failure|always">>(
        "restart", "when to start an ended command again, after a pause", "no"),
    once<&C::when_done, Choice<"stay|leave">>(
        "when-done",
        "when the command has ended and is not started again: stay and go on voting, or leave with "
        "its exit code",
        "stay"),
    once<&C::stop_timeout, Span<>>("stop-timeout",
                                   "time that the command may take to stop when asked", "10s"),
    once<grace, Span<least_span>, C>("grace",
                                     "send SIGTERM this long before an unrenewed lease expires",
                                     "an eighth of --detect"),
    once<&C::watchdog, Span<least_span>>(
        "watchdog", "kill the command unless it notifies this often, as with systemd's watchdog"),
};

constexpr Option hook_options[] = {
    once<&C::on_leader, Text>("on-leader", "shell command to run when this node begins to lead")
        .called("CMD"),
    once<&C::on_follower, Text>("on-follower",
                                "shell command to run when this node follows another")
        .called("CMD"),
    once<&C::on_lost, Text>("on-lost", "shell command to run when this node no longer leads")
        .called("CMD"),
    once<&C::on_no_leader, Text>("on-no-leader", "shell command to run when nobody leads")
        .called("CMD"),
    once<clean_up, Text, C>("on-stopped",
                            "shell command that the guardian runs when the command is gone, before "
                            "another node may lead; also when this node is killed")
        .called("CMD"),
    once<clean_up_limit, Span<least_span>, C>("on-stopped-timeout",
                                              "time after which --on-stopped is killed, at most a "
                                              "quarter of --detect",
                                              "an eighth of --detect"),
    once<&C::hook_timeout, Span<least_span>>("hook-timeout", "time that each hook may take", "10s"),
    once<health_check, Check, C>("health",
                                 "lead only while this check passes: a command, tcp:HOST:PORT or "
                                 "http://HOST:PORT/PATH"),
    once<health_every, Span<least_span>, C>("health-every", "time between two health checks", "1s"),
    once<health_timeout, Span<least_span>, C>("health-timeout",
                                              "time after which a health check has failed", "1s"),
    once<rise, Count<1, 1000>, C>("rise", "passed checks in a row that make a node healthy", "2"),
    once<fall, Count<1, 1000>, C>("fall", "failed checks in a row that make a node unhealthy", "3"),
    once<web_address, Listen, C>(
        "http",
        "serve a page of the group there, and GET /leader, /health, /status, /why, /doctor, "
        "/events and /metrics"),
    once<&C::publish, Published>("publish",
                                 "value of at most 256 bytes that every member sees while this "
                                 "node leads: status, leader --json"),
    once<web_hosts, Hosts, C>("http-host",
                              "names by which --http may be called, beside IP addresses, "
                              "localhost and the host's own name"),
};

constexpr options::OptionGroup<Config> groups[] = {{"the group", group_options},
                                                   {"network, keys and times", network_options},
                                                   {"the command", command_options},
                                                   {"hooks, health and web", hook_options}};

}  // namespace config_options

}  // namespace

const options::Table<Config>& config_table() {
    static constexpr options::Table<Config> table(config_options::groups);
    return table;
}

std::string default_state() {
    if (geteuid() == 0) return "/var/lib/conclave";
    const auto folder = [](const char* variable) {  // a relative one is no place to come back to
        const char* value = std::getenv(variable);
        return std::string(value != nullptr && value[0] == '/' ? value : "");
    };
    if (const auto home = folder("XDG_STATE_HOME"); !home.empty()) return home + "/conclave";
    std::string home = folder("HOME");
    if (home.empty())
        if (const passwd* user = getpwuid(geteuid())) home = user->pw_dir;
    return home + "/.local/state/conclave";
}

std::vector<options::Given> read_config_file(const std::string& path) {
    std::string problem;
    const std::string text = options::read_file(path, "--config", problem);
    if (!problem.empty()) refuse(problem);
    options::FileGiven file = options::read_toml(text, path, config_table().rows());
    if (!file.problem.empty()) refuse(file.problem);
    return std::move(file.given);
}

std::string describe(const Config& config) {
    std::string text = config_table().describe(config), command;
    for (const std::string& word : config.command) command += (command.empty() ? "" : " ") + word;
    text += "command = " + (command.empty() ? "(none)" : command) + "\n";
    return text + "# sealed with: " + key_remark(config) + "\n";
}

}  // namespace conclave::agent
