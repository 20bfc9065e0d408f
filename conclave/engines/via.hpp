// The place of a shared cell, as --via names it: etcd://HOST[:PORT],.../PREFIX or
// postgresql://HOST,.../DATABASE.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conclave::engines {

enum class Kind : std::uint8_t { etcd, postgresql };

struct Endpoint {
    std::string host{};  // an IPv6 address without its brackets
    std::uint16_t port = 0;
    bool operator==(const Endpoint&) const = default;
};

struct Via {
    Kind kind = Kind::etcd;
    std::vector<Endpoint> endpoints{};
    std::string path{};  // prefix of keys, or database
};

inline constexpr std::size_t endpoints_most = 16, path_most = 128;

// Empty, or a sentence: then `via` is not to be used.
std::string read_via(std::string_view text, Via& via);
// As curl and people write it: [::1]:2379.
std::string text(const Endpoint& endpoint);

}  // namespace conclave::engines
