// Reads the head of an HTTP request, as far as a responder needs that only answers GET and HEAD.
#pragma once

#include <cstdint>
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
};

// What has been heard so far, from the beginning of the connection.
HttpRequest read_request(std::string_view heard);

}  // namespace conclave::net
