#include "conclave/net/http_request.hpp"

#include <algorithm>

#include "conclave/net/address.hpp"

namespace conclave::net {

namespace {

HttpRequest refuse(int code) { return {.state = HttpRequest::State::refused, .code = code}; }

bool is_plain(char c) { return c > ' ' && c < '\x7f'; }

char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); }

bool is_same(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && !is_plain(text.back())) text.remove_suffix(1);
    return text;
}

// "[::1]:7677", "10.0.0.1:7677", "name".
std::string_view without_port(std::string_view host) {
    if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
    return host.substr(0, host.find(':'));
}

// The lines below the first. False: they name the server twice, or in letters that no name has.
bool read_host(std::string_view lines, std::string& host) {
    for (bool named = false; !lines.empty();) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || !is_same(line.substr(0, colon), "host")) continue;
        const std::string_view value = trim(line.substr(colon + 1));
        if (named || !std::all_of(value.begin(), value.end(), is_plain)) return false;
        named = true;
        host = without_port(value);
    }
    return true;
}

}  // namespace

bool is_known_host(std::string_view host, std::span<const std::string> names) {
    if (host.starts_with('[') && host.ends_with(']')) return parse_address(host).has_value();
    if (host.empty() || is_same(host, "localhost") || parse_address(host)) return true;
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return is_same(name, host); });
}

// Of what stands below the first line only the name of the server is of use here.
HttpRequest read_request(std::string_view heard) {
    const std::string_view start = heard.substr(0, HttpRequest::longest);
    const auto end = std::min(start.find("\r\n\r\n"), start.find("\n\n"));
    if (end == std::string_view::npos) {
        if (heard.size() >= HttpRequest::longest) return refuse(431);
        return {};
    }
    std::string_view line = start.substr(0, start.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return refuse(400);
    const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
    std::string_view path = line.substr(first + 1, last - first - 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return refuse(505);
    if (method != "GET" && method != "HEAD") return refuse(405);
    if (!path.starts_with('/') || !std::all_of(path.begin(), path.end(), is_plain))
        return refuse(400);
    HttpRequest request{.state = HttpRequest::State::complete,
                        .head = method == "HEAD",
                        .path = std::string(path.substr(0, path.find('?')))};
    const auto first_end = start.find('\n');
    if (end > first_end && !read_host(start.substr(first_end + 1, end - first_end), request.host))
        return refuse(400);
    return request;
}

}  // namespace conclave::net
