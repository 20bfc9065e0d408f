#include "conclave/agent/config.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "conclave/agent/health.hpp"
#include "conclave/agent/host.hpp"
#include "conclave/agent/roster.hpp"

namespace conclave::agent {

namespace {

constexpr std::uint16_t meeting_port = 7676;

template <class Number>
std::string read_number(std::string_view value, Number& into, Number least, Number most) {
    Number number{};
    const char* end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end || number < least || number > most)
        return "give a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    into = number;
    return {};
}

std::string read_flag(std::string_view value, bool& into) {
    if (value != "true" && value != "false") return "give true or false";
    into = value == "true";
    return {};
}

std::string read_text(std::string_view value, std::string& into) {
    into = value;
    return {};
}

std::string read_name(std::string_view value, std::string& into) {
    into = value;
    return name_problem(value).empty() ? std::string{} : name_problem(value);
}

std::string read_span(std::string_view value, Duration& into, Duration least) {
    const auto span = parse_duration(value);
    if (!span || *span < least) return "give a duration of at least " + format_duration(least);
    into = *span;
    return {};
}

std::string read_members(Config& config, std::string_view value) {
    config.members.clear();
    while (!value.empty()) {
        const auto comma = std::min(value.find(','), value.size());
        const std::string_view one = value.substr(0, comma);
        value.remove_prefix(std::min(comma + 1, value.size()));
        const auto equals = one.find('=');
        NamedAddress member{std::string(one.substr(0, equals)), {}};
        if (const auto problem = name_problem(member.name); !problem.empty()) return problem;
        if (equals != std::string_view::npos) {
            member.address = net::parse_address(one.substr(equals + 1), Config::usual_port);
            if (!member.address) return "'" + std::string(one) + "' has no IP address behind the =";
        }
        config.members.push_back(std::move(member));
    }
    return {};
}

std::string read_algorithm(Config& config, std::string_view value) {
    std::vector<std::string> names;
    for (const std::string_view name : hosted_algorithms()) names.emplace_back(name);
    config.algorithm = value;
    return std::find(names.begin(), names.end(), value) != names.end()
               ? ""
               : "choose from " + join(names);
}

std::string read_restart(Config& config, std::string_view value) {
    constexpr std::array names{"no", "on-failure", "always"};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (value == names[i]) {
            config.restart = static_cast<Restart>(i);
            return {};
        }
    return "choose from no, on-failure, always";
}

std::string read_when_done(Config& config, std::string_view value) {
    config.when_done = value == "leave" ? WhenDone::leave : WhenDone::stay;
    return value == "leave" || value == "stay" ? "" : "choose from stay, leave";
}

std::string read_contain(Config& config, std::string_view value) {
    config.contain = value;
    const bool known = value == "best" || value == "pid" || value == "user" || value == "group";
    return known ? "" : "choose from best, pid, user, group";
}

std::string read_health(Config& config, std::string_view value) {
    config.health = value;
    return parse_check(value)
               ? ""
               : "give a command, tcp:HOST:PORT or http://HOST:PORT/PATH, where HOST "
                 "is an IP address or localhost";
}

bool is_host_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

std::string read_http(Config& config, std::string_view value) {
    const auto address = net::parse_address(value);
    if (!address || address->port == 0) return "give an IP address and a port: 127.0.0.1:7677";
    config.http = address;
    return {};
}

std::string read_http_hosts(Config& config, std::string_view value) {
    config.http_hosts.clear();
    while (!value.empty()) {
        const std::string_view one = value.substr(0, value.find(','));
        value.remove_prefix(std::min(one.size() + 1, value.size()));
        if (one.size() > 253 || !std::all_of(one.begin(), one.end(), is_host_letter) || one.empty())
            return "give names of hosts, as in conclave.example.org, separated by commas";
        config.http_hosts.emplace_back(one);
    }
    return {};
}

std::string read_meeting(Config& config, std::string_view value) {
    const auto address = net::parse_address(value, meeting_port);
    if (!address || !address->is_multicast())
        return "give a multicast address such as " + std::string(Config::usual_meeting);
    config.meeting = *address;
    return {};
}

using C = Config;
using V = std::string_view;
constexpr Duration least_span = std::chrono::milliseconds(10);

constexpr ConfigWord words[] = {
    {"group", "NAME", "the group that this node belongs to", false,
     [](C& c, V v) { return read_name(v, c.group); }},
    {"name", "NAME", "of this node; the host's name unless given", false,
     [](C& c, V v) { return read_name(v, c.name); }},
    {"expect", "N", "form the group when N nodes have found each other; from then on it is fixed",
     false,
     [](C& c, V v) {
         return read_number(v, c.expect, 1u, static_cast<std::uint32_t>(Roster::most));
     }},
    {"members", "A,B,..",
     "or name the members; with addresses (A=10.0.0.1,B=..) nothing is multicast", false,
     &read_members},
    {"witness", "", "vote, but never lead", true,
     [](C& c, V v) { return read_flag(v, c.witness); }},
    {"observer", "", "see everything, but be no member: neither vote nor lead", true,
     [](C& c, V v) { return read_flag(v, c.observer); }},
    {"no-quorum", "",
     "one leader in every connected part: after a cut there are two until it heals", true,
     [](C& c, V v) { return read_flag(v, c.no_quorum); }},
    {"priority", "N", "who has more is preferred when a leader is chosen; 0 unless given", false,
     [](C& c, V v) { return read_number(v, c.priority, 0u, 1'000'000u); }},
    {"preempt", "", "a leader gives way to a better node", true,
     [](C& c, V v) { return read_flag(v, c.preempt); }},
    {"key", "FILE",
     "the group's key (conclave keygen makes one); without it only this machine is used, with a "
     "key "
     "of this user's own",
     false, [](C& c, V v) { return read_text(v, c.key); }},
    {"insecure", "", "use the network without a key: anybody on it can take part", true,
     [](C& c, V v) { return read_flag(v, c.insecure); }},
    {"state", "DIR", "where the node keeps its promises over a restart", false,
     [](C& c, V v) { return read_text(v, c.state); }},
    {"interface", "NAME", "meet the others on this network interface only", false,
     [](C& c, V v) { return read_text(v, c.interface); }},
    {"port", "N", "of this node's socket (default: 7675; where that is taken, any free one)", false,
     [](C& c, V v) { return read_number<std::uint16_t>(v, c.port, 1, 65535); }},
    {"meeting", "ADDRESS", "the multicast address where the nodes find each other", false,
     &read_meeting},
    {"broadcast", "", "find each other by broadcast in the subnet, instead of multicast", true,
     [](C& c, V v) { return read_flag(v, c.broadcast); }},
    {"detect", "D", "a silent leader is replaced after this time; 1s unless given", false,
     [](C& c, V v) { return read_span(v, c.detect, 4 * least_span); }},
    {"heartbeat", "D", "how often the leader renews its lease; a quarter of --detect unless given",
     false, [](C& c, V v) { return read_span(v, c.heartbeat, least_span); }},
    {"algorithm", "NAME", "that elects the leader: bully, invitation, multicast, nemeth or tempo",
     false, &read_algorithm},
    {"contain", "MODE",
     "containment of the command's processes: pid, user, or group, which is weaker (default: best, "
     "the first of pid and user that the machine allows)",
     false, &read_contain},
    {"require-contain", "", "refuse to start with less than --contain asks for", true,
     [](C& c, V v) { return read_flag(v, c.require_contain); }},
    {"restart", "WHEN",
     "start an ended command again, after a pause: no, on-failure, always; no unless given", false,
     &read_restart},
    {"when-done", "WHAT",
     "when the command has ended and is not started again: stay and go on voting, or leave with "
     "its "
     "exit code (default: stay)",
     false, &read_when_done},
    {"stop-timeout", "D", "so long the command may take to stop when asked; 10s unless given",
     false, [](C& c, V v) { return read_span(v, c.stop_timeout, Duration{0}); }},
    {"grace", "D",
     "send SIGTERM this long before an unrenewed lease expires (default: an eighth of --detect)",
     false, [](C& c, V v) { return read_span(v, c.grace, least_span); }},
    {"watchdog", "D", "kill the command unless it notifies so often, as systemd's watchdog has it",
     false, [](C& c, V v) { return read_span(v, c.watchdog, least_span); }},
    {"on-leader", "CMD", "run by the shell when this node leads", false,
     [](C& c, V v) { return read_text(v, c.on_leader); }},
    {"on-follower", "CMD", "... when it follows another", false,
     [](C& c, V v) { return read_text(v, c.on_follower); }},
    {"on-lost", "CMD", "... when it no longer leads", false,
     [](C& c, V v) { return read_text(v, c.on_lost); }},
    {"on-no-leader", "CMD", "... when nobody leads", false,
     [](C& c, V v) { return read_text(v, c.on_no_leader); }},
    {"hook-timeout", "D", "so long each of these may take; 10s unless given", false,
     [](C& c, V v) { return read_span(v, c.hook_timeout, least_span); }},
    {"http", "ADDRESS", "answer GET /leader, /health, /status, /events and /metrics there", false,
     &read_http},
    {"http-host", "A,B,..",
     "names by which --http may be called, beside IP addresses, localhost and the host's own name",
     false, &read_http_hosts},
    {"stretch", "", "take a longer --detect, if this machine is found too slow for the given one",
     true, [](C& c, V v) { return read_flag(v, c.stretch); }},
    {"health", "CHECK",
     "lead only while this is well: a command, tcp:HOST:PORT or http://HOST:PORT/PATH", false,
     &read_health},
    {"health-every", "D", "ask so often; 1s unless given", false,
     [](C& c, V v) { return read_span(v, c.health_every, least_span); }},
    {"health-timeout", "D", "an answer that takes longer is a bad one; 1s unless given", false,
     [](C& c, V v) { return read_span(v, c.health_timeout, least_span); }},
    {"rise", "N", "good answers in a row make an unhealthy node healthy; 2 unless given", false,
     [](C& c, V v) { return read_number(v, c.rise, 1u, 1000u); }},
    {"fall", "N", "bad answers in a row make a healthy node unhealthy; 3 unless given", false,
     [](C& c, V v) { return read_number(v, c.fall, 1u, 1000u); }},
};

}  // namespace

std::span<const ConfigWord> config_words() { return words; }

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

std::vector<Given> read_environment() {
    std::vector<Given> given;
    for (const ConfigWord& word : words) {
        std::string variable = "CONCLAVE_";
        for (const char c : word.name)
            variable += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
        if (const char* value = std::getenv(variable.c_str()))
            given.push_back({std::string(word.name), value, variable, Source::environment});
    }
    return given;
}

}  // namespace conclave::agent
