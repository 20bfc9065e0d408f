#include "conclave/agent/settings/member_entry.hpp"

#include <algorithm>
#include <cctype>

#include "conclave/agent/group/named_roster.hpp"

namespace conclave::agent {

namespace {

// "node1", "node1.example:7001"; not what looks like an address and is none.
bool read_host(NamedAddress& member, std::string_view text) {
    constexpr std::size_t longest = 253;
    const auto colon = std::min(text.find(':'), text.size());
    const std::string_view host = text.substr(0, colon);
    const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '.'; };
    const auto digit = [](unsigned char c) { return std::isdigit(c) || c == '.'; };
    if (host.empty() || host.size() > longest || host.front() == '-' || host.front() == '.' ||
        !std::all_of(host.begin(), host.end(), fits) ||
        std::all_of(host.begin(), host.end(), digit))
        return false;
    member.host = host;
    member.port = usual_port;
    if (colon == text.size()) return true;
    const auto any = net::parse_address("0.0.0.0" + std::string(text.substr(colon)));
    if (any) member.port = any->port;
    return any && member.port != 0;
}

}  // namespace

std::string read_entry(std::string_view text, NamedAddress& into) {
    const auto equals = text.find('=');
    into = {.name = std::string(text.substr(0, equals))};
    if (const std::string problem = name_problem(into.name); !problem.empty()) return problem;
    if (equals == std::string_view::npos) return {};
    const std::string_view place = text.substr(equals + 1);
    into.address = net::parse_address(place, usual_port);
    if (into.address || read_host(into, place)) return {};
    return "'" + std::string(text) + "' has no IP address or host name behind the =";
}

std::string entry_problem(std::string_view text) {
    NamedAddress member;
    return read_entry(text, member);
}

std::string entry_of(const NamedAddress& member) {
    if (member.address) return member.name + "=" + net::text(*member.address);
    if (member.host.empty()) return member.name;
    return member.name + "=" + member.host + ":" + std::to_string(member.port);
}

}  // namespace conclave::agent
