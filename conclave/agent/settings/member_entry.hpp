// A member as an operator names it: NAME, NAME=ADDRESS or NAME=HOST[:PORT].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conclave/net/address.hpp"

namespace conclave::agent {

inline constexpr std::uint16_t usual_port = 7675;  // firewalls need one to open

struct NamedAddress {
    std::string name{};
    std::optional<net::Address> address{};
    std::string host{};  // or a host name, which is looked up while the node runs
    std::uint16_t port = 0;

    bool is_placed() const { return address.has_value() || !host.empty(); }
};

// Empty when all is well, else what is wrong with it and what would be right.
std::string read_entry(std::string_view text, NamedAddress& into);
std::string entry_problem(std::string_view text);
std::string entry_of(const NamedAddress& member);

}  // namespace conclave::agent
