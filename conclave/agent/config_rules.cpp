// What a node's settings must be together, and what follows from those that were not given.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

#include "conclave/agent/config.hpp"
#include "conclave/agent/roster.hpp"
#include "conclave/core/nearest.hpp"
#include "conclave/net/interfaces.hpp"

namespace conclave::agent {

namespace {

constexpr Duration default_detect = std::chrono::seconds(1);
constexpr int beats = 4;  // heartbeats in a detection time: three may be lost

std::string host_name() {
    std::array<char, 65> buffer{};
    gethostname(buffer.data(), buffer.size() - 1);
    return buffer.data();
}

void check_role(const Config& config) {
    if (config.observer && config.witness)
        refuse("--observer and --witness cannot both be given: a witness votes, an observer not");
    if (config.observer && !config.command.empty())
        refuse("--observer never leads, so it runs no command: use conclave agent --observer");
    if (config.broadcast && config.by_address())
        refuse("--broadcast and addresses in --members cannot both be given: choose one");
    if (config.broadcast && config.meeting.family != net::Family::ipv4)
        refuse("--broadcast needs IPv4, and --meeting is IPv6: leave one of them out");
}

// Two members at one address would take each other's datagrams; and one socket, which every node
// has, speaks IPv4 or IPv6.
void check_addresses(const std::vector<NamedAddress>& members) {
    const auto has = [](const NamedAddress& m) { return m.address.has_value(); };
    const auto count = std::count_if(members.begin(), members.end(), has);
    if (count == 0) return;
    if (static_cast<std::size_t>(count) != members.size())
        refuse("--members gives some addresses, but not all: give every member one, or none");
    std::map<net::Address, std::string> whose;
    for (const NamedAddress& member : members) {
        if (member.address->family != members.front().address->family)
            refuse("--members gives '" + members.front().name + "' and '" + member.name +
                   "' addresses of IPv4 and of IPv6: give all members the one or the other");
        const auto [other, fresh] = whose.emplace(*member.address, member.name);
        if (!fresh)
            refuse("--members gives " + net::text(*member.address) + " to '" + other->second +
                   "' and to '" + member.name + "': every member needs an address of its own");
    }
}

// An observer is none of them, and may learn from the others who they are.
void check_roster(Config& config) {
    if (config.observer && config.members.empty()) return;
    if (config.expect == 0 && config.members.empty())
        refuse(
            "--expect and --members are both missing: say how many nodes the group has "
            "(--expect 3) or which (--members a,b,c), the same on every node");
    if (config.expect != 0 && !config.members.empty())
        refuse("--expect and --members cannot both be given: choose one, the same on every node");
    if (config.members.empty()) return;
    std::vector<std::string> names;
    for (const NamedAddress& member : config.members) names.push_back(member.name);
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
        refuse("--members names '" + *twice + "' twice: every member needs a name of its own");
    if (const std::string problem = size_problem(names); !problem.empty())
        refuse("--members: " + problem);
    const bool named = std::binary_search(names.begin(), names.end(), config.name);
    if (config.observer && named)
        refuse("--members names '" + config.name +
               "', and --observer is no member: give it another --name");
    if (!config.observer && !named)
        refuse("--members (" + join(names) + ") does not name this node, '" + config.name +
               "': add it, or say which one this is with --name");
    check_addresses(config.members);
}

void check_times(Config& config) {
    if (config.detect == Duration{0} && config.heartbeat == Duration{0})
        config.detect = default_detect;
    if (config.detect == Duration{0}) config.detect = beats * config.heartbeat;
    if (config.heartbeat == Duration{0}) config.heartbeat = config.detect / beats;
    if (config.heartbeat * 2 > config.detect)
        refuse("--heartbeat " + format_duration(config.heartbeat) + " is too long for --detect " +
               format_duration(config.detect) + ": give at most half of it");
    if (config.grace > config.detect / 3)
        refuse("--grace " + format_duration(config.grace) + " is too long for --detect " +
               format_duration(config.detect) + ": give at most a third, " +
               format_duration(config.detect / 3) + ", or a longer --detect");
    // Late, because SIGTERM cannot be taken back: three of four renewals may be lost before it.
    if (config.grace == Duration{0})
        config.grace =
            std::min(config.detect / 3, std::max(config.detect / 8, 2 * config.margin()));
}

void check_http(const Config& config) {
    if (!config.http_hosts.empty() && !config.http)
        refuse("--http-host " + config.http_hosts.front() +
               " names a server that is not asked for: give its address with --http");
}

// Nobody would be met by it: said here, for the nodes would only wait for each other.
void check_meeting(const Config& config) {
    const bool here = config.key.empty() && !config.insecure;
    const auto all = net::list_interfaces();
    const auto named = std::find_if(all.begin(), all.end(), [&](const net::Interface& i) {
        return i.name == config.interface;
    });
    if (here && named != all.end() && !named->loopback)
        refuse("--interface " + config.interface +
               " leads to other machines, and --key is missing: make a key with conclave keygen "
               "FILE, or say --insecure");
    if (config.meeting.family != net::Family::ipv6) return;
    const std::string alone = "--meeting " + net::text(config.meeting) +
                              " needs other machines, for IPv6 has no multicast within one, and ";
    const std::string or_name = ", or name the members (--members a=[::1]:7001,b=[::1]:7002)";
    if (here)
        refuse(alone + "without --key only this one is used: make a key with conclave keygen FILE" +
               or_name);
    if (named != all.end() && named->loopback)
        refuse(alone + "--interface " + config.interface +
               " reaches only this one: choose another interface" + or_name);
}

// An interface may come up later; one that is not there at all is misspelt.
void check_network(const Config& config) {
    const auto names = net::interface_names();
    const auto known = std::find(names.begin(), names.end(), config.interface);
    if (!config.interface.empty() && known == names.end())
        refuse("--interface " + config.interface + " is not there: choose from " + join(names));
    if (!config.by_address()) check_meeting(config);
}

[[noreturn]] void refuse_unknown(const Given& given) {
    std::vector<std::string_view> names;
    for (const ConfigWord& word : config_words()) names.push_back(word.name);
    const std::string_view meant = nearest(given.name, names);
    refuse("there is no setting " + given.where + ": " +
           (meant.empty() ? "conclave run --help lists what there is"
                          : "did you mean " + std::string(meant) + "?"));
}

// Two words for one thing: who gives the one need not take back the other where it was said before.
void choose_roster(Config& config, const std::vector<Given>& given) {
    if (config.expect == 0 || config.members.empty()) return;
    Source expect{}, members{};
    for (const Given& each : given) {
        if (each.name == "expect") expect = each.source;
        if (each.name == "members") members = each.source;
    }
    if (expect > members) config.members.clear();
    if (members > expect) config.expect = 0;
}

}  // namespace

Config make_config(const std::vector<Given>& given, std::vector<std::string> command) {
    Config config;
    config.command = std::move(command);
    const auto words = config_words();
    for (const Given& each : given) {
        const auto word = std::find_if(words.begin(), words.end(),
                                       [&](const ConfigWord& w) { return w.name == each.name; });
        if (word == words.end()) refuse_unknown(each);
        if (const std::string right = word->read(config, each.value); !right.empty())
            refuse(each.where + " cannot be '" + each.value + "': " + right);
    }
    choose_roster(config, given);
    if (config.name.empty()) config.name = host_name();
    if (const auto problem = name_problem(config.name); !problem.empty())
        refuse("--name: " + problem);
    if (config.group.empty()) refuse("--group is missing: give the name that all nodes share");
    if (config.state.empty()) config.state = default_state();
    check_role(config);
    check_http(config);
    check_roster(config);
    check_network(config);
    check_times(config);
    return config;
}

}  // namespace conclave::agent
