// What a node's settings must be together, and what follows from those that were not given.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/net/interfaces.hpp"
#include "conclave/process/orders.hpp"

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
    if (!config.publish.empty() && (config.observer || config.witness))
        refuse("--publish is what a leader tells, and --" +
               std::string(config.observer ? "observer" : "witness") +
               " never leads: leave one of them out");
    if (config.broadcast && config.by_address())
        refuse("--broadcast and addresses in --members cannot both be given: choose one");
    if (config.broadcast && config.meeting.family != net::Family::ipv4)
        refuse("--broadcast needs IPv4, and --meeting is IPv6: leave one of them out");
}

// Two members at one address would take each other's datagrams; and one socket, which every node
// has, speaks IPv4 or IPv6.
void check_addresses(const std::vector<NamedAddress>& members) {
    const auto has = [](const NamedAddress& m) { return m.is_placed(); };
    const auto count = std::count_if(members.begin(), members.end(), has);
    if (count == 0) return;
    if (static_cast<std::size_t>(count) != members.size())
        refuse("--members gives some addresses, but not all: give every member one, or none");
    std::map<std::string, std::string> whose;
    const NamedAddress* first = nullptr;  // with an address
    for (const NamedAddress& member : members) {
        if (first == nullptr && member.address) first = &member;
        if (member.address && member.address->family != first->address->family)
            refuse("--members gives '" + first->name + "' and '" + member.name +
                   "' addresses of IPv4 and of IPv6: give all members the one or the other");
        const std::string place = member.address ? net::text(*member.address)
                                                 : member.host + ":" + std::to_string(member.port);
        const auto [other, fresh] = whose.emplace(place, member.name);
        if (!fresh)
            refuse("--members gives " + place + " to '" + other->second + "' and to '" +
                   member.name + "': every member needs an address of its own");
    }
}

// Of a group that runs, a newcomer needs to know where its members are, and no more.
void check_join(const Config& config) {
    if (!config.join) return;
    const std::string front = "--join asks to become a member of a group that runs, and ";
    if (config.observer) refuse(front + "--observer is never a member: leave one of them out");
    if (config.no_quorum)
        refuse(front + "the members of a group with --no-quorum are fixed: leave one of them out");
    if (config.expect != 0) refuse(front + "--expect is for one that forms: leave one of them out");
    if (!config.members.empty() && !config.by_address())
        refuse(front +
               "it knows its members itself: leave --members out, or give every member "
               "its address");
}

// An observer is none of them, and may learn from the others who they are.
void check_roster(Config& config) {
    if (config.observer && config.members.empty()) return;
    check_join(config);
    if (config.join && config.members.empty()) return;
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

// The grace period that was asked for, cut to the room that the lease leaves.
void fit_grace(Config& config) {
    const Duration detect = config.command_detect();
    // Late, because SIGTERM cannot be taken back: three of four renewals may be lost before it.
    const Duration late = std::max(detect / 8, 2 * config.margin());
    const bool asked = config.grace.asked != Duration{0};
    config.grace.span = std::min(detect / 3, asked ? config.grace.asked : late);
}
void fit_clean_up(Config& config) {
    const Duration detect = config.command_detect();
    CleanUp& clean_up = config.on_stopped;
    if (clean_up.line.empty()) return;
    const bool asked = clean_up.asked != Duration{0};
    clean_up.limit = asked ? std::min(detect / 4, clean_up.asked) : detect / 8;
}

void check_times(Config& config) {
    if (config.detect == Duration{0}) config.detect = default_detect;
    if (config.heartbeat == Duration{0}) config.heartbeat = config.detect / beats;
    if (config.heartbeat * 2 > config.detect)
        refuse("--heartbeat " + format_duration(config.heartbeat) + " is too long for --detect " +
               format_duration(config.detect) + ": give at most half of it");
    if (config.grace.span > config.detect / 3)
        refuse("--grace " + format_duration(config.grace.span) + " is too long for --detect " +
               format_duration(config.detect) + ": give at most a third, " +
               format_duration(config.detect / 3) + ", or a longer --detect");
    config.grace.asked = config.grace.span;
    fit_grace(config);
}

// Its time is taken from the end of the lease, so it must leave the command enough.
void check_clean_up(Config& config) {
    CleanUp& clean_up = config.on_stopped;
    if (clean_up.line.empty() && clean_up.limit != Duration{0})
        refuse("--on-stopped-timeout limits --on-stopped, which is missing: give both, or none");
    if (clean_up.line.empty()) return;
    if (config.command.empty())
        refuse("--on-stopped cleans up after a command, and there is none: give it behind --");
    if (clean_up.line.size() > process::cleanup_most)
        refuse("--on-stopped has " + std::to_string(clean_up.line.size()) + " bytes, and at most " +
               std::to_string(process::cleanup_most) + " are possible: call a script");
    if (clean_up.limit > config.detect / 4)
        refuse("--on-stopped-timeout " + format_duration(clean_up.limit) +
               " is too long for --detect " + format_duration(config.detect) +
               ": give at most a quarter, " + format_duration(config.detect / 4) +
               ", or a longer --detect");
    clean_up.asked = clean_up.limit;
    fit_clean_up(config);
}

void check_http(const Config& config) {
    if (!config.web.hosts.empty() && !config.web.address)
        refuse("--http-host " + config.web.hosts.front() +
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

// Two options for one thing: the one overrides the other where that was given in a lesser place.
void choose_roster(Config& config, const std::vector<options::Given>& given) {
    if (config.expect == 0 || config.members.empty()) return;
    options::Place expect{}, members{};
    for (const options::Given& each : given) {
        if (each.name == "expect") expect = std::max(expect, each.place);
        if (each.name == "members") members = std::max(members, each.place);
    }
    if (expect > members) config.members.clear();
    if (members > expect) config.expect = 0;
}

}  // namespace

Config with_times(Config given, const member::Times& times, Duration shortest) {
    given.detect = times.detect;
    given.heartbeat = times.heartbeat;
    given.grace.detect = shortest;
    fit_grace(given);
    fit_clean_up(given);
    return given;
}

std::string text_of_times(Duration detect, Duration heartbeat) {
    return "--detect " + format_duration(detect) + " and --heartbeat " + format_duration(heartbeat);
}

std::string removed_sentence(const Config& config) {
    return "'" + config.name + "' was removed from group '" + config.group +
           "': to bring it back, remove its state file, say conclave members add " + config.name +
           " on a member, and start it with --join";
}

Config make_config(const std::vector<options::Given>& given, std::vector<std::string> command) {
    Config config;
    config.command = std::move(command);
    const std::string refusal =
        config_table().read(given, config, "conclave run --help lists what there is");
    if (!refusal.empty()) refuse(refusal);
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
    check_clean_up(config);
    return config;
}

}  // namespace conclave::agent
