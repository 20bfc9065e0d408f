#include "conclave/engines/via.hpp"

#include <algorithm>
#include <charconv>

namespace conclave::engines {

namespace {

constexpr std::string_view form =
    "give etcd://HOST:PORT,HOST:PORT/PREFIX or postgresql://HOST,HOST/DATABASE";

std::string refuse(std::string_view text, std::string_view why) {
    return "--via cannot be '" + std::string(text) + "': " + std::string(why);
}

bool is_plain(std::string_view text, std::string_view besides) {
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               besides.find(c) != std::string_view::npos;
    });
}

bool read_port(std::string_view text, std::uint16_t& port) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc{} && end == text.data() + text.size() && port != 0;
}

bool read_endpoint(std::string_view text, std::uint16_t usual, Endpoint& into) {
    into.port = usual;
    if (text.starts_with('[')) {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos) return false;
        into.host = text.substr(1, close - 1);
        if (into.host.empty() || !is_plain(into.host, ":.")) return false;
        const std::string_view rest = text.substr(close + 1);
        return rest.empty() || (rest.front() == ':' && read_port(rest.substr(1), into.port));
    }
    const std::size_t colon = text.find(':');
    into.host = text.substr(0, colon);
    if (into.host.empty() || into.host.size() > 253 || !is_plain(into.host, ".-_")) return false;
    return colon == std::string_view::npos || read_port(text.substr(colon + 1), into.port);
}

}  // namespace

std::string read_via(std::string_view text, Via& via) {
    via = {};
    std::uint16_t usual = 2379;
    std::string_view rest;
    if (text.starts_with("etcd://")) {
        rest = text.substr(7);
    } else if (text.starts_with("postgresql://")) {
        via.kind = Kind::postgresql;
        usual = 5432;
        rest = text.substr(13);
    } else {
        return refuse(text, form);
    }
    if (rest.find('@') != std::string_view::npos)
        return refuse("...",
                      "it has a user, and everybody can read a command line: give "
                      "--via-credentials FILE");
    const std::size_t slash = rest.find('/');
    via.path = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
    if (via.path.empty() || via.path.size() > path_most || !is_plain(via.path, "._-/"))
        return refuse(text, via.kind == Kind::etcd
                                ? "it ends in a prefix of letters, digits and ._-/, as in /conclave"
                                : "it ends in the name of a database, as in /conclave");
    for (std::string_view hosts = rest.substr(0, slash);;) {
        const std::size_t comma = hosts.find(',');
        Endpoint endpoint;
        if (!read_endpoint(hosts.substr(0, comma), usual, endpoint)) return refuse(text, form);
        if (std::find(via.endpoints.begin(), via.endpoints.end(), endpoint) != via.endpoints.end())
            return refuse(text, "it names " + engines::text(endpoint) + " twice, name it once");
        via.endpoints.push_back(std::move(endpoint));
        if (via.endpoints.size() > endpoints_most)
            return refuse(text, "give at most " + std::to_string(endpoints_most) + " hosts");
        if (comma == std::string_view::npos) return {};
        hosts.remove_prefix(comma + 1);
    }
}

std::string text(const Endpoint& endpoint) {
    const bool six = endpoint.host.find(':') != std::string::npos;
    return (six ? "[" + endpoint.host + "]" : endpoint.host) + ":" + std::to_string(endpoint.port);
}

}  // namespace conclave::engines
