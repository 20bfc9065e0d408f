// Whatever somebody says to the HTTP port is refused, waited for, or a path of plain letters.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "conclave/net/http_request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using conclave::net::HttpRequest;
    const std::string_view heard(reinterpret_cast<const char*>(data), size);
    const HttpRequest request = conclave::net::read_request(heard);
    const auto plain = [](char c) { return c > ' ' && c < '\x7f' && c != '?'; };
    switch (request.state) {
        case HttpRequest::State::partial:
            if (size >= HttpRequest::longest) std::abort();
            break;
        case HttpRequest::State::refused:
            if (request.code < 400) std::abort();
            break;
        case HttpRequest::State::complete:
            if (!request.path.starts_with('/') ||
                !std::all_of(request.path.begin(), request.path.end(), plain))
                std::abort();
    }
    return 0;
}
