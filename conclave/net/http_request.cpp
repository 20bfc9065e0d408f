#include "conclave/net/http_request.hpp"

#include <algorithm>

namespace conclave::net {

namespace {

HttpRequest refuse(int code) { return {.state = HttpRequest::State::refused, .code = code}; }

bool is_plain(char c) { return c > ' ' && c < '\x7f'; }

}  // namespace

// Whatever stands below the first line is of no use here; it must only end.
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
    path = path.substr(0, path.find('?'));
    return {
        .state = HttpRequest::State::complete, .head = method == "HEAD", .path = std::string(path)};
}

}  // namespace conclave::net
