// Reads the head of an HTTP request, as far as a responder needs that only answers GET and HEAD.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace conclave::net {

struct HttpRequest {
    enum class State : std::uint8_t { partial, complete, refused };
    static constexpr std::size_t longest = 4096;

    State state = State::partial;
    int code = 200;      // of the refusal
    bool head = false;   // only the heading is wanted
    std::string path{};  // without what follows a question mark
    std::string host{};  // as the caller names this server, without a port; empty: it does not
};

// The bytes heard so far, from the beginning of the connection.
HttpRequest read_request(std::string_view heard);

// May a caller name the server so? Yes, if it gives an IP address, localhost, or one of `names`. A
// page of somebody else that lets its own name point here, to have a browser read what only this
// machine can reach, gives that name.
bool is_known_host(std::string_view host, std::span<const std::string> names);

}  // namespace conclave::net
